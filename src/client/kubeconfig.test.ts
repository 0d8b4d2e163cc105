import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf, kubeconfigFiles, parseKubeconfig, readKubeconfig } from './kubeconfig.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function config(user: string, cluster = 'server: https://127.0.0.1:7443'): string {
  return `
apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: {cluster: hub, user: admin, namespace: team}
clusters:
- name: hub
  cluster: {${cluster}}
users:
- name: admin
  user: {${user}}
`;
}

const connectionOf = (text: string): unknown => contextOf(parseKubeconfig([{ file: 'config', text }])).connection;

describe('a kubeconfig', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-kubeconfig-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each<[string, string, object]>([
    ['a token', config('token: abc'), { server: 'https://127.0.0.1:7443', token: 'abc' }],
    [
      'a certificate in the file itself',
      config(`client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}`),
      { certificate: { certificate: 'CERT', key: 'KEY' } },
    ],
    [
      'an authority and a name',
      config(
        'token: x',
        `server: "https://h/base", certificate-authority-data: ${base64('CA')}, tls-server-name: kube`,
      ),
      { server: 'https://h/base', caBundle: 'CA', serverName: 'kube' },
    ],
    [
      'no trust, and a proxy',
      config('token: x', 'server: "https://h", insecure-skip-tls-verify: true, proxy-url: "http://p:3128"'),
      { insecureSkipTLSVerification: true, proxy: { url: 'http://p:3128' } },
    ],
  ])('with %s', (_name, text, expected) => {
    expect(connectionOf(text)).toMatchObject(expected);
  });

  it.each([
    ['exec plugins', config('exec: {command: aws}'), 'gets its credentials from a program (exec)'],
    ['auth providers', config('auth-provider: {name: gcp}'), 'auth-provider'],
    ['passwords', config('username: a, password: b'), 'password'],
    ['impersonation', config('token: x, as: root'), 'impersonates'],
    ['half a certificate', config(`client-key-data: ${base64('KEY')}`), 'only one of client certificate and key'],
    [
      'a missing file',
      config('client-certificate: nowhere.crt, client-key: x'),
      'client-certificate nowhere.crt cannot be read',
    ],
    ['a server that is no URL', config('token: x', 'server: nonsense'), 'is no URL'],
    ['text', 'just text', 'is empty or no object'],
    ['broken YAML', 'a: [', 'is not valid YAML'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => connectionOf(text)).toThrow(message);
  });

  it('names what is missing', () => {
    const parsed = parseKubeconfig([{ file: 'config', text: config('token: x') }]);
    expect(() => contextOf(parsed, 'other')).toThrow('there is no context other in config');
    const bare = parseKubeconfig([{ file: 'config', text: 'contexts: [{name: a, context: {cluster: b}}]' }]);
    expect(() => contextOf(bare, 'a')).toThrow('names a cluster that is not in config');
    expect(() => contextOf(bare)).toThrow('no context is named');
  });

  it('merges files, the first one decides, and reads paths from where the file lies', async () => {
    const first = path.join(folder, 'first');
    const second = path.join(folder, 'second');
    await writeFile(path.join(folder, 'ca.crt'), 'CA');
    await writeFile(first, config('token: one', 'server: "https://one", certificate-authority: ca.crt'));
    const other = config('token: two', 'server: "https://two"').replaceAll('main', 'other');
    await writeFile(second, other.replaceAll('admin', 'somebody'));
    const merged = await readKubeconfig([path.join(folder, 'missing'), first, second]);
    expect(contextOf(merged)).toMatchObject({
      name: 'main',
      namespace: 'team',
      connection: { caBundle: 'CA', token: 'one' },
    });
    expect(contextOf(merged, 'other').connection).toMatchObject({ server: 'https://one', token: 'two' });
    await expect(readKubeconfig([path.join(folder, 'missing')])).rejects.toThrow('no kubeconfig at');
  });

  it('reads a token from its file every time', async () => {
    const file = path.join(folder, 'token');
    await writeFile(file, 'first\n');
    const { connection } = contextOf(
      parseKubeconfig([{ file: path.join(folder, 'c'), text: config('tokenFile: token') }]),
    );
    const token = connection.token as () => Promise<string>;
    expect(await token()).toBe('first');
    await writeFile(file, 'second\n');
    expect(await token()).toBe('second');
  });

  it('is looked for where kubectl looks', () => {
    expect(kubeconfigFiles({ KUBECONFIG: `a${path.delimiter}b` })).toEqual(['a', 'b']);
    expect(kubeconfigFiles({})[0]).toMatch(/\.kube.config$/);
  });
});
