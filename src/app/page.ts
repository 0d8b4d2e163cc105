/** The page that a browser without credentials gets on the hub's port. */
export function hubPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sluice hub</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:4em auto;padding:0 1em}pre{background:#eee;padding:.7em}</style>
<h1>Sluice hub</h1>
<p>This is the API of a Sluice hub (version ${version}). It is for <code>kubectl</code> and <code>sluice</code>, not for browsers,
and you have sent no credentials.</p>
<p>On the machine that runs it, in the folder in which it was started:</p>
<pre>export KUBECONFIG=.sluice/kubeconfig
kubectl get clusters
npx sluice status</pre>
<p><a href="/version">/version</a>, <a href="/livez">/livez</a> and <a href="/readyz">/readyz</a> answer without credentials.</p>
</html>
`;
}
