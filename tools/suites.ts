/** Names the suites that `npm test` leaves out: `node tools/suites.ts`. It must not run any of them. Start here. */
console.log(`
These are the fast suites. The others:
  npm run scenarios     the scenarios on a real server
  npm run long          whole systems, members, attacks, crashes (npm run long -- test/cli runs one folder)
  npm run browser       the dashboard in Chromium
  npm run e2e           the program from outside, with kubectl
  npm run test:kube     a real kube-apiserver as the hub, and real members; needs Go, and minutes the first time
  npm run check         everything but browser, e2e and test:kube, and the rules of this repository`);
