import type { ImageOverrider, KubeObject } from '../../api/index.ts';
import { eachContainer } from './containers.ts';
import { OverrideFailure } from './failure.ts';
import { changedAt, textAt } from './pointer.ts';

/** The parts of the name of an image: `registry/repository:tag@digest`. */
interface Image {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const repositoryForm = new RegExp(`^${part}(?:/${part})*$`);
const registryForm = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}$/;

/** Changes the names of images: the one that the predicate names, or those of all containers of a built-in kind. */
export function withImages(object: KubeObject, overrider: ImageOverrider): KubeObject {
  const path = overrider.predicate?.path;
  if (path !== undefined) return withImageAt(object, path, overrider);
  return eachContainer(object, (container) => {
    const { image } = container;
    const where = `container ${String(container['name'])}`;
    if (typeof image !== 'string') throw new OverrideFailure(`${where} has no image`);
    const name = renamed(image, overrider, where);
    return name === image ? container : { ...container, image: name };
  });
}

function withImageAt(object: KubeObject, path: string, overrider: ImageOverrider): KubeObject {
  return changedAt(object, [{ path, operator: 'replace', value: renamed(textAt(object, path), overrider, path) }]);
}

/** Errors name the place and not the text: a path may lead to a secret. */
function renamed(name: string, overrider: ImageOverrider, where: string): string {
  const image = imageIn(name);
  if (!image) throw new OverrideFailure(`${where}: the text is not the name of an image`);
  const changed = nameOf(changedImage(image, overrider));
  if (imageIn(changed)) return changed;
  throw new OverrideFailure(`${where}: the result would not be the name of an image`);
}

function changedImage(image: Image, { component, operator, value = '' }: ImageOverrider): Image {
  const change = (text: string): string => {
    if (operator === 'remove') return '';
    return operator === 'add' ? text + value : value;
  };
  switch (component) {
    case 'Registry':
      return { ...image, registry: change(image.registry) };
    case 'Repository':
      return { ...image, repository: change(image.repository) };
    case 'Tag':
      return tagged(image, change(image.tag || image.digest));
    default:
      (component) satisfies never;
      return image;
  }
}

/** A new tag ends the digest and the other way round: the digest would go on to decide which image runs. */
function tagged(image: Image, text: string): Image {
  const isDigest = digestForm.test(text);
  return { ...image, tag: isDigest ? '' : text, digest: isDigest ? text : '' };
}

function nameOf({ registry, repository, tag, digest }: Image): string {
  return `${registry && `${registry}/`}${repository}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

const nameForm = /^([^@:]*(?::\d+\/[^@:]*)?)(?::([^@:]*))?(?:@(.*))?$/;

/** The parts of a name; undefined when it names no image. */
function imageIn(text: string): Image | undefined {
  const [, path = '', tag, digest] = nameForm.exec(text) ?? [];
  const [registry, repository] = partedPath(path);
  const isName = isForm(registryForm, registry || undefined) && repositoryForm.test(repository);
  if (!isName || !isForm(tagForm, tag) || !isForm(digestForm, digest)) return undefined;
  return { registry, repository, tag: tag ?? '', digest: digest ?? '' };
}

const isForm = (form: RegExp, text: string | undefined): boolean => text === undefined || form.test(text);

/** The first part of a path is a registry only if it looks like a host. */
function partedPath(path: string): readonly [registry: string, repository: string] {
  const slash = path.indexOf('/');
  const host = path.slice(0, Math.max(slash, 0));
  return /[.:A-Z]/.test(host) || host === 'localhost' ? [host, path.slice(slash + 1)] : ['', path];
}
