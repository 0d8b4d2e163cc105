import { Environment } from '@marcbachmann/cel-js';
import { registerAddresses } from './library/addresses.ts';
import { registerFormats } from './library/formats.ts';
import { registerLists } from './library/lists.ts';
import { registerNumbers } from './library/numbers.ts';
import { registerOptionals } from './library/optionals.ts';
import { registerQuantities } from './library/quantities.ts';
import { registerStrings } from './library/strings.ts';
import { registerUrls } from './library/urls.ts';

let base: Environment | undefined;

/** A new environment with the functions of Kubernetes, ready to learn types and variables. */
export function kubernetesEnvironment(): Environment {
  base ??= withLibrary(new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false }));
  return base.clone();
}

function withLibrary(env: Environment): Environment {
  for (const register of [
    registerLists,
    registerStrings,
    registerQuantities,
    registerUrls,
    registerAddresses,
    registerFormats,
    registerNumbers,
    registerOptionals,
  ]) {
    register(env);
  }
  return env;
}
