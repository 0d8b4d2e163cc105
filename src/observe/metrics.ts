/** The name and the labels of a metric. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Only ever grows. */
export interface Counter {
  add(value?: number): void;
}

/** Goes up and down. */
export interface Gauge {
  set(value: number): void;
  add(value?: number): void;
}

/** Counts values by size. */
export interface Histogram {
  observe(value: number): void;
}

type Type = 'counter' | 'gauge' | 'histogram';

/** Seconds, from half a millisecond to a minute: what the work of a control plane takes. */
const defaultBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The metrics of a process, as Prometheus reads them.
 * A family answers the series of its label values; who counts often keeps the series, then counting is an addition.
 * Asking for a name again answers the same family, so that rooms need not pass their families around.
 */
export class Metrics {
  readonly #families = new Map<string, Family<Series>>();
  readonly #collectors = new Set<() => void>();

  counter(options: MetricOptions): (...labels: readonly string[]) => Counter {
    return this.#family(options, 'counter', () => new NumberSeries()).series;
  }

  gauge(options: MetricOptions): (...labels: readonly string[]) => Gauge {
    return this.#family(options, 'gauge', () => new NumberSeries()).series;
  }

  histogram(
    options: MetricOptions & { readonly buckets?: readonly number[] },
  ): (...labels: readonly string[]) => Histogram {
    const buckets = (options.buckets ?? defaultBuckets).toSorted((a, b) => a - b);
    return this.#family(options, 'histogram', () => new HistogramSeries(buckets)).series;
  }

  /** Called before every reading, for gauges that are cheaper to read than to keep; returns what ends it. */
  beforeReading(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => void this.#collectors.delete(collect);
  }

  /** Drops all series of a family whose label values come and go. */
  clear(name: string): void {
    this.#families.get(name)?.clear();
  }

  /** The metrics, in the order of their names. */
  get families(): readonly (Required<MetricOptions> & { readonly type: Type })[] {
    const all = [...this.#families.values()].map(({ name, help, labels, type }) => ({ name, help, labels, type }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Everything in the text format of Prometheus, version 0.0.4. */
  text(): string {
    for (const collect of this.#collectors) collect();
    return [...this.#families.values()].map((family) => family.text()).join('');
  }

  #family<S extends Series>(options: MetricOptions, type: Type, make: () => S): Family<S> {
    const known = this.#families.get(options.name);
    if (known) {
      if (known.type !== type || known.labels.join() !== (options.labels ?? []).join()) {
        throw new Error(`the metric ${options.name} exists with another type or other labels`);
      }
      return known as Family<S>;
    }
    const family = new Family(options, type, make);
    this.#families.set(options.name, family);
    return family;
  }
}

interface Series {
  lines(name: string, labels: string): string;
}

class Family<S extends Series> {
  readonly name: string;
  readonly help: string;
  readonly type: Type;
  readonly labels: readonly string[];
  readonly #make: () => S;
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly series: S }>();

  constructor({ name, help, labels = [] }: MetricOptions, type: Type, make: () => S) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.labels = labels;
    this.#make = make;
    if (labels.length === 0) this.series();
  }

  readonly series = (...values: readonly string[]): S => {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000');
    const known = this.#series.get(key);
    if (known) return known.series;
    if (values.length !== this.labels.length) {
      throw new Error(`the metric ${this.name} has the labels [${this.labels.join(', ')}]`);
    }
    const series = this.#make();
    this.#series.set(key, { values, series });
    return series;
  };

  clear(): void {
    this.#series.clear();
  }

  text(): string {
    let text = `# HELP ${this.name} ${escaped(this.help, false)}\n# TYPE ${this.name} ${this.type}\n`;
    for (const { values, series } of this.#series.values()) {
      const pairs = values.map((value, i) => `${this.labels[i]}="${escaped(value, true)}"`);
      text += series.lines(this.name, pairs.join(','));
    }
    return text;
  }
}

function escaped(text: string, quotes: boolean): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return quotes ? plain.replaceAll('"', '\\"') : plain;
}

class NumberSeries implements Counter, Gauge, Series {
  #value = 0;

  add(value = 1): void {
    this.#value += value;
  }

  set(value: number): void {
    this.#value = value;
  }

  lines(name: string, labels: string): string {
    return `${name}${labels && `{${labels}}`} ${this.#value}\n`;
  }
}

class HistogramSeries implements Histogram, Series {
  readonly #bounds: readonly number[];
  /** How many fell between the bound before and this one; the last is for what is above all. */
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
    this.#count++;
  }

  lines(name: string, labels: string): string {
    const before = labels && `${labels},`;
    let total = 0;
    let text = '';
    this.#bounds.forEach((bound, i) => {
      total += this.#counts[i] ?? 0;
      text += `${name}_bucket{${before}le="${bound}"} ${total}\n`;
    });
    text += `${name}_bucket{${before}le="+Inf"} ${this.#count}\n`;
    const own = labels && `{${labels}}`;
    return `${text}${name}_sum${own} ${this.#sum}\n${name}_count${own} ${this.#count}\n`;
  }
}
