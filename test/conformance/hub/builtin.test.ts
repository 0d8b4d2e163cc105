import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance, deployment } from './suite.ts';

const podTemplate = (name: string, spec: object = {}): object => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'nginx:1.27' }], ...spec },
});

const service = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});

conformance('built-in kinds', (hub) => {
  it('completes a Deployment', async () => {
    const ns = await hub.namespace();
    const made = await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web'));
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec')).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      template: {
        spec: {
          containers: [
            {
              name: 'main',
              image: 'nginx',
              imagePullPolicy: 'Always',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
    });
  });

  it('completes containers, probes and volumes', async () => {
    const ns = await hub.namespace();
    const container = {
      name: 'main',
      image: 'registry.example:5000/app:v1',
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
      env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    };
    const volumes = [
      { name: 'a' },
      { name: 'b', configMap: { name: 'x' } },
      { name: 'c', secret: { secretName: 'y' } },
    ];
    const spec = { containers: [container], volumes, serviceAccountName: 'robot' };
    const made = await hub.post(
      `/apis/apps/v1/namespaces/${ns}/deployments`,
      deployment('web', { template: { metadata: { labels: { app: 'web' } }, spec } }),
    );
    expect(at(made.body, 'spec.template.spec')).toMatchObject({
      serviceAccount: 'robot',
      volumes: [{ emptyDir: {} }, { configMap: { defaultMode: 420 } }, { secret: { defaultMode: 420 } }],
      containers: [
        {
          imagePullPolicy: 'IfNotPresent',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          livenessProbe: {
            httpGet: { path: '/', port: 80, scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          env: [{ valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
        },
      ],
    });
  });

  it.each([
    [{ selector: undefined }, 'spec.selector: Required value'],
    [{ selector: { matchLabels: { app: 'other' } } }, '`selector` does not match template `labels`'],
    [{ replicas: -1 }, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [
      { template: podTemplate('web', { restartPolicy: 'Never' }) },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [{ template: podTemplate('web', { containers: [] }) }, 'spec.template.spec.containers: Required value'],
    [
      { template: podTemplate('web', { containers: [{ name: 'A', image: 'x' }] }) },
      'spec.template.spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of',
    ],
    [
      { template: podTemplate('web', { containers: [{ name: 'a' }] }) },
      'spec.template.spec.containers[0].image: Required value',
    ],
  ])('refuses a Deployment with %j', async (spec, words) => {
    const ns = await hub.namespace();
    const reply = await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web', spec));
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain('Deployment.apps "web" is invalid: ');
    expect(textAt(reply.body, 'message')).toContain(words);
  });

  it('keeps the selector of a Deployment', async () => {
    const ns = await hub.namespace();
    await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web'));
    const labels = { app: 'web', more: 'x' };
    const reply = await hub.patch(`/apis/apps/v1/namespaces/${ns}/deployments/web`, {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    });
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toMatch(/spec\.selector: Invalid value: .*: field is immutable/);
  });

  it('completes StatefulSets and DaemonSets, and keeps what must stay', async () => {
    const ns = await hub.namespace();
    const spec = { selector: { matchLabels: { app: 'db' } }, template: podTemplate('db') };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: { ...spec, serviceName: 'db' },
    };
    const made = await hub.post(`/apis/apps/v1/namespaces/${ns}/statefulsets`, set);
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec')).toMatchObject({
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    const changed = await hub.patch(`/apis/apps/v1/namespaces/${ns}/statefulsets/db`, {
      spec: { serviceName: 'other' },
    });
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain(
      'spec: Forbidden: updates to statefulset spec for fields other than',
    );
    const daemons = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'db' }, spec };
    const daemon = await hub.post(`/apis/apps/v1/namespaces/${ns}/daemonsets`, daemons);
    expect(at(daemon.body, 'spec.updateStrategy')).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
  });

  it('lets the pods of a StatefulSet mount its claims', async () => {
    const ns = await hub.namespace();
    const labels = { app: 'db' };
    const mounting = (name: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: {
        serviceName: 'db',
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'db', image: 'db', volumeMounts: [{ name, mountPath: '/data' }] }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    const path = `/apis/apps/v1/namespaces/${ns}/statefulsets`;
    expect((await hub.post(path, mounting('data'))).status).toBe(201);
    const refused = await hub.post(path, mounting('other'));
    expect(textAt(refused.body, 'message')).toContain(
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "other"',
    );
  });

  it('writes down how fast a HorizontalPodAutoscaler scales once anything is said about it', async () => {
    const ns = await hub.namespace();
    const scaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 5,
        behavior: { scaleDown: { stabilizationWindowSeconds: 120 } },
      },
    };
    const made = await hub.post(`/apis/autoscaling/v2/namespaces/${ns}/horizontalpodautoscalers`, scaler);
    const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
    const pods = { type: 'Pods', value: 4, periodSeconds: 15 };
    expect(at(made.body, 'spec.behavior')).toEqual({
      scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [pods, percent] },
      scaleDown: { stabilizationWindowSeconds: 120, selectPolicy: 'Max', policies: [percent] },
    });
  });

  it('warns of Endpoints', async () => {
    const reply = await hub.get('/api/v1/endpoints');
    expect(String(reply.headers['warning'])).toContain('v1 Endpoints is deprecated in v1.33+');
  });

  it('labels the pods of a Job with its uid, and keeps its template', async () => {
    const ns = await hub.namespace();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'pi' }, spec: { template } };
    const made = await hub.post(`/apis/batch/v1/namespaces/${ns}/jobs`, job);
    expect(made.status).toBe(201);
    const uid = textAt(made.body, 'metadata.uid');
    expect(at(made.body, 'spec')).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: {
        metadata: {
          labels: {
            'batch.kubernetes.io/controller-uid': uid,
            'batch.kubernetes.io/job-name': 'pi',
            'controller-uid': uid,
            'job-name': 'pi',
          },
        },
      },
    });
    const read = await hub.get(`/apis/batch/v1/namespaces/${ns}/jobs/pi`);
    expect(at(read.body, 'metadata.labels')).toEqual(at(read.body, 'spec.template.metadata.labels'));
    const changed = await hub.patch(
      `/apis/batch/v1/namespaces/${ns}/jobs/pi`,
      { spec: { template: { spec: { containers: [{ name: 'main', image: 'other' }] } } } },
      'strategic',
    );
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain('field is immutable');
    const always = { ...job, metadata: { name: 'always' }, spec: { template: podTemplate('x') } };
    const refused = await hub.post(`/apis/batch/v1/namespaces/${ns}/jobs`, always);
    expect(refused.status).toBe(422);
    expect(textAt(refused.body, 'message')).toContain('spec.template.spec.restartPolicy');
  });

  it('completes CronJobs and reads their schedule', async () => {
    const ns = await hub.namespace();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
    const cron = (name: string, schedule: string): object => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name },
      spec: { schedule, jobTemplate: { spec: { template } } },
    });
    const made = await hub.post(`/apis/batch/v1/namespaces/${ns}/cronjobs`, cron('a', '*/5 * * * mon-fri'));
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec')).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const bad = await hub.post(`/apis/batch/v1/namespaces/${ns}/cronjobs`, cron('b', '61 * * * *'));
    expect(bad.status).toBe(422);
    expect(textAt(bad.body, 'message')).toContain('spec.schedule: Invalid value: "61 * * * *"');
  });

  it('gives a Service an address of its own, and keeps it', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/services`;
    const made = await hub.post(path, service('web', { ports: [{ port: 80 }], selector: { app: 'web' } }));
    expect(made.status).toBe(201);
    expect(at(made.body, 'spec')).toMatchObject({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    });
    const address = textAt(made.body, 'spec.clusterIP');
    expect(address).toMatch(/^10\.\d+\.\d+\.\d+$/);
    expect(at(made.body, 'spec.clusterIPs')).toEqual([address]);
    expect(at(made.body, 'status')).toEqual({ loadBalancer: {} });
    const put = await hub.put(`${path}/web`, service('web', { ports: [{ port: 81 }], selector: { app: 'web' } }));
    expect(put.status).toBe(200);
    expect(textAt(put.body, 'spec.clusterIP')).toBe(address);
    const other = await hub.patch(`${path}/web`, { spec: { clusterIP: '10.96.7.7', clusterIPs: ['10.96.7.7'] } });
    expect(other.status).toBe(422);
    expect(textAt(other.body, 'message')).toContain('may not change once set');
    const taken = await hub.post(path, service('thief', { clusterIP: address, ports: [{ port: 80 }] }));
    expect(taken.status).toBe(422);
    expect(textAt(taken.body, 'message')).toContain('provided IP is already allocated');
    const headless = await hub.post(
      path,
      service('headless', { clusterIP: 'None', selector: { app: 'x' }, ports: [{ port: 80 }] }),
    );
    expect(at(headless.body, 'spec.clusterIPs')).toEqual(['None']);
    const exposed = await hub.post(path, service('exposed', { type: 'NodePort', ports: [{ port: 80 }] }));
    const port = at(exposed.body, 'spec.ports.0.nodePort');
    expect(port).toBeGreaterThanOrEqual(30_000);
    expect(port).toBeLessThanOrEqual(32_767);
    expect(textAt(exposed.body, 'spec.externalTrafficPolicy')).toBe('Cluster');
    expect((await hub.post(path, service('Web', { ports: [{ port: 80 }] }))).status).toBe(422);
    expect(textAt((await hub.post(path, service('empty', {}))).body, 'message')).toContain(
      'spec.ports: Required value',
    );
  });

  it('takes no port for a Service that does not come to be', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/services`;
    const exposed = (name: string, nodePort?: unknown): object =>
      service(name, { type: 'NodePort', ports: [{ port: 80, ...(nodePort !== undefined && { nodePort }) }] });
    const made = await hub.post(path, exposed('there'));
    const freePort = async (): Promise<unknown> => {
      const { body } = await hub.post(path, exposed('passing'));
      await hub.delete(`${path}/passing`);
      return at(body, 'spec.ports.0.nodePort');
    };
    const [first, second, third] = [await freePort(), await freePort(), await freePort()];

    expect((await hub.post(path, exposed('there', first))).status).toBe(409);
    expect((await hub.post(path, exposed('one', first))).status).toBe(201);
    expect((await hub.post(`${path}?dryRun=All`, exposed('tried', second))).status).toBe(201);
    expect((await hub.post(path, exposed('two', second))).status).toBe(201);
    const wrong = { spec: { ports: [{ port: 80, nodePort: third }], sessionAffinity: 'Nobody' } };
    expect((await hub.patch(`${path}/there`, wrong)).status).toBe(422);
    expect((await hub.post(path, exposed('three', third))).status).toBe(201);

    const kept = at(made.body, 'spec.ports.0.nodePort');
    expect((await hub.post(path, exposed('thief', kept))).status).toBe(422);
  });

  it('takes the text of a Secret and keeps its type', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/secrets`;
    const made = await hub.post(path, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { password: 'x' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ type: 'Opaque', data: { password: 'eA==' } });
    expect(at(made.body, 'stringData')).toBeUndefined();
    const changed = await hub.patch(`${path}/s`, { type: 'example.com/other' });
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain('type: Invalid value: "example.com/other": field is immutable');
    const broken = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' }, data: { k: '***' } };
    const refused = await hub.post(path, broken);
    expect(refused.status).toBe(400);
    expect(textAt(refused.body, 'message')).toContain('illegal base64 data at input byte 0');
    const tls = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, type: 'kubernetes.io/tls', data: {} };
    expect(textAt((await hub.post(path, tls)).body, 'message')).toContain('data[tls.crt]: Required value');
  });

  it('checks the keys of a ConfigMap, and holds immutable ones still', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const bad = await hub.post(path, configMap('a', { 'a b': 'x' }));
    expect(bad.status).toBe(422);
    expect(textAt(bad.body, 'message')).toContain(
      'data[a b]: Invalid value: "a b": a valid config key must consist of',
    );
    await hub.post(path, { ...configMap('fixed', { k: 'v' }), immutable: true });
    const changed = await hub.patch(`${path}/fixed`, { data: { k: 'w' } });
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain('data: Forbidden: field is immutable when `immutable` is set');
  });

  it('fixes a Pod once it exists, and deletes it at once where no node runs it', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/pods`;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'main', image: 'a' }] },
    };
    const made = await hub.post(path, pod);
    expect(made.status).toBe(201);
    expect(at(made.body, 'status')).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect(at(made.body, 'spec.enableServiceLinks')).toBe(true);
    const image = await hub.patch(`${path}/p`, { spec: { containers: [{ name: 'main', image: 'b' }] } }, 'strategic');
    expect(image.status).toBe(200);
    const changed = await hub.patch(`${path}/p`, { spec: { restartPolicy: 'Never' } });
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain('spec: Forbidden: pod updates may not change fields other than');
    expect((await hub.delete(`${path}/p`)).status).toBe(200);
    expect((await hub.get(`${path}/p`)).status).toBe(404);
  });

  it('protects role references and completes subjects', async () => {
    const ns = await hub.namespace();
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}/rolebindings`;
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'system:b' },
      roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ kind: 'User', name: 'jane' }],
    };
    const made = await hub.post(path, binding);
    expect(made.status).toBe(201);
    expect(at(made.body, 'subjects.0.apiGroup')).toBe('rbac.authorization.k8s.io');
    const changed = await hub.patch(`${path}/system:b`, { roleRef: { name: 'edit' } });
    expect(changed.status).toBe(422);
    expect(textAt(changed.body, 'message')).toContain('cannot change roleRef');
  });

  it('does not delete the namespaces that a cluster needs', async () => {
    const reply = await hub.delete('/api/v1/namespaces/kube-system');
    expect(reply.status).toBe(403);
    expect(textAt(reply.body, 'message')).toBe(
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    );
  });
});
