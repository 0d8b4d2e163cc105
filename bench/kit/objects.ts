/** A Deployment of about two kilobytes. */
export function deployment(i: number, note = 'n'.repeat(400)): object {
  const labels = { app: `web-${i}`, 'app.kubernetes.io/name': 'nginx', tier: 'front' };
  const limits = { cpu: '100m', memory: '128Mi' };
  const container = {
    name: 'web',
    image: `nginx:1.27.${i % 7}`,
    ports: [{ containerPort: 80, protocol: 'TCP' }],
    resources: { limits, requests: { cpu: '50m', memory: '64Mi' } },
    env: Array.from({ length: 6 }, (_, n) => ({ name: `SETTING_${n}`, value: `value ${n} of ${i} `.repeat(3) })),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${i}`, namespace: `team-${i % 100}`, labels, annotations: { note } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], restartPolicy: 'Always' } },
    },
    status: {
      replicas: 3,
      readyReplicas: 3,
      conditions: ['Available', 'Progressing'].map((type) => ({
        type,
        status: 'True',
        reason: `${type}Reason`,
        message: 'm'.repeat(100),
      })),
    },
  };
}
