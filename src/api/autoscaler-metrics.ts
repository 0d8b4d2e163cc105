import { type Bag, bag, present } from './rename.ts';

/** How one kind of metric is told in v2 (`metric`, `target`, `current`) and in the flat form of v1's annotations. */
interface Flattening {
  readonly toV1: (v2: Bag) => Bag;
  readonly toV2: (v1: Bag) => Bag;
}

const specs: Readonly<Record<string, Flattening>> = {
  resource: resourceSpec(),
  containerResource: resourceSpec(),
  pods: {
    toV1: ({ metric, target }) => ({ ...named(metric, 'selector'), targetAverageValue: bag(target)['averageValue'] }),
    toV2: (v1) => ({
      metric: identifier(v1, 'selector'),
      target: { type: 'AverageValue', averageValue: v1['targetAverageValue'] },
    }),
  },
  object: {
    toV1: ({ metric, target, describedObject }) => ({
      target: describedObject,
      ...named(metric, 'selector'),
      targetValue: bag(target)['value'] ?? '0',
      averageValue: bag(target)['averageValue'],
    }),
    toV2: (v1) => ({
      describedObject: v1['target'],
      metric: identifier(v1, 'selector'),
      target: target(v1['averageValue'] === undefined ? 'Value' : 'AverageValue', {
        value: v1['targetValue'],
        averageValue: v1['averageValue'],
      }),
    }),
  },
  external: {
    toV1: ({ metric, target }) => ({
      ...named(metric, 'metricSelector'),
      targetValue: bag(target)['value'],
      targetAverageValue: bag(target)['averageValue'],
    }),
    toV2: (v1) => ({
      metric: identifier(v1, 'metricSelector'),
      target: target(v1['targetValue'] === undefined ? 'AverageValue' : 'Value', {
        value: v1['targetValue'],
        averageValue: v1['targetAverageValue'],
      }),
    }),
  },
};

const statuses: Readonly<Record<string, Flattening>> = {
  resource: resourceStatus(),
  containerResource: resourceStatus(),
  pods: {
    toV1: ({ metric, current }) => ({
      ...named(metric, 'selector'),
      currentAverageValue: bag(current)['averageValue'] ?? '0',
    }),
    toV2: (v1) => ({ metric: identifier(v1, 'selector'), current: { averageValue: v1['currentAverageValue'] } }),
  },
  object: {
    toV1: ({ metric, current, describedObject }) => ({
      target: describedObject,
      ...named(metric, 'selector'),
      currentValue: bag(current)['value'] ?? '0',
      averageValue: bag(current)['averageValue'],
    }),
    toV2: (v1) => ({
      describedObject: v1['target'],
      metric: identifier(v1, 'selector'),
      current: present({ value: v1['currentValue'], averageValue: v1['averageValue'] }),
    }),
  },
  external: {
    toV1: ({ metric, current }) => ({
      ...named(metric, 'metricSelector'),
      currentValue: bag(current)['value'] ?? '0',
      currentAverageValue: bag(current)['averageValue'],
    }),
    toV2: (v1) => ({
      metric: identifier(v1, 'metricSelector'),
      current: present({ value: v1['currentValue'], averageValue: v1['currentAverageValue'] }),
    }),
  },
};

/** A metric of `spec.metrics` as the annotation of v1 spells it. */
export function metricSpecToV1(metric: Bag): Bag {
  return converted(metric, specs, 'toV1');
}

/** A metric of v1's annotation as an item of `spec.metrics`. */
export function metricSpecToV2(metric: Bag): Bag {
  return converted(metric, specs, 'toV2');
}

/** A metric of `status.currentMetrics` as the annotation of v1 spells it. */
export function metricStatusToV1(metric: Bag): Bag {
  return converted(metric, statuses, 'toV1');
}

/** A metric of v1's annotation as an item of `status.currentMetrics`. */
export function metricStatusToV2(metric: Bag): Bag {
  return converted(metric, statuses, 'toV2');
}

function converted(metric: Bag, table: Readonly<Record<string, Flattening>>, way: keyof Flattening): Bag {
  const entries = Object.entries(metric).map(([key, value]) => {
    const change = table[key]?.[way];
    return [key, change ? present(change(bag(value))) : value] as const;
  });
  return Object.fromEntries(entries);
}

function resourceSpec(): Flattening {
  return {
    toV1: ({ name, container, target }) => ({
      name,
      container,
      targetAverageUtilization: bag(target)['averageUtilization'],
      targetAverageValue: bag(target)['averageValue'],
    }),
    toV2: (v1) => ({
      name: v1['name'],
      container: v1['container'],
      target: target(v1['targetAverageUtilization'] === undefined ? 'AverageValue' : 'Utilization', {
        averageValue: v1['targetAverageValue'],
        averageUtilization: v1['targetAverageUtilization'],
      }),
    }),
  };
}

function resourceStatus(): Flattening {
  return {
    toV1: ({ name, container, current }) => ({
      name,
      container,
      currentAverageUtilization: bag(current)['averageUtilization'],
      currentAverageValue: bag(current)['averageValue'] ?? '0',
    }),
    toV2: (v1) => ({
      name: v1['name'],
      container: v1['container'],
      current: present({
        averageValue: v1['currentAverageValue'],
        averageUtilization: v1['currentAverageUtilization'],
      }),
    }),
  };
}

function named(metric: unknown, selector: string): Bag {
  return { metricName: bag(metric)['name'], [selector]: bag(metric)['selector'] };
}

function identifier(v1: Bag, selector: string): Bag {
  return present({ name: v1['metricName'], selector: v1[selector] });
}

function target(type: string, values: Bag): Bag {
  return present({ type, ...values });
}
