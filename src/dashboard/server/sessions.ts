import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connectAs } from './credentials.ts';
import type { Credential, HubPlace } from './credentials.ts';
import { Refusal } from './guard.ts';
import { Sight } from './sight.ts';

/** Somebody who is logged in. Sessions with the same credentials share what they see. */
export interface Session {
  readonly id: string;
  readonly sight: Sight;
  expires: number;
}

const lifeMilliseconds = 12 * 3_600_000;
const mostSessions = 1_000;
const mostFailures = 20;
const failureMilliseconds = 60_000;

/** The people who are logged in. A session ends after twelve hours, with the server, or when the person logs out. */
export class Sessions {
  readonly #place: HubPlace;
  readonly #own: Credential | undefined;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #sights = new Map<string, Promise<Sight>>();
  /** The digest of the code in the login link; undefined once it was used. */
  #code: Buffer | undefined;
  #failures: number[] = [];

  constructor(place: HubPlace, { own, now }: { readonly own: Credential | undefined; readonly now: () => number }) {
    this.#place = place;
    this.#own = own;
    this.#now = now;
  }

  /** A code that logs in once, as the person who started the server. */
  issueCode(): string {
    const code = randomBytes(24).toString('base64url');
    this.#code = digestOf(code);
    return code;
  }

  /** Logs in with the code of the link; it is void afterwards. */
  async redeem(code: string): Promise<Session> {
    this.#requirePatience();
    if (!this.#own || !this.#code || !timingSafeEqual(this.#code, digestOf(code))) {
      this.#failures.push(this.#now());
      throw new Refusal(403, 'this link was used before, or is of an earlier start');
    }
    this.#code = undefined;
    return this.#open(this.#own, true);
  }

  /** Logs in with credentials of the hub. */
  async login(credential: Credential): Promise<Session> {
    this.#requirePatience();
    try {
      return await this.#open(credential, false);
    } catch (error) {
      this.#failures.push(this.#now());
      throw error;
    }
  }

  /** The session that a cookie names. */
  of(request: IncomingMessage, cookie: string): Session | undefined {
    const id = cookiesOf(request).get(cookie);
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (!session || session.expires > this.#now()) return session;
    this.close(session);
    return undefined;
  }

  close({ id, sight }: Session): void {
    this.#sessions.delete(id);
    const isShared = [...this.#sessions.values()].some((other) => other.sight === sight);
    if (isShared) return;
    for (const [key, known] of this.#sights)
      void known.then((one) => one === sight && this.#sights.delete(key)).catch(() => {});
    void sight.close();
  }

  async closeAll(): Promise<void> {
    this.#sessions.clear();
    const sights = await Promise.allSettled(this.#sights.values());
    this.#sights.clear();
    await Promise.all(sights.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  async #open(credential: Credential, own: boolean): Promise<Session> {
    const sight = await this.#sightOf(credential, own);
    const session = { id: randomBytes(32).toString('base64url'), sight, expires: this.#now() + lifeMilliseconds };
    const [oldest] = this.#sessions.values();
    if (oldest && this.#sessions.size >= mostSessions) this.close(oldest);
    this.#sessions.set(session.id, session);
    return session;
  }

  #sightOf(credential: Credential, own: boolean): Promise<Sight> {
    const key = digestOf(JSON.stringify([own, credential])).toString('hex');
    const known = this.#sights.get(key);
    if (known) return known;
    const made = connectAs(this.#place, credential, own).then((person) => new Sight(person));
    this.#sights.set(key, made);
    made.catch(() => this.#sights.delete(key));
    return made;
  }

  /** Guessing is slow: so many wrong logins a minute are answered. */
  #requirePatience(): void {
    const since = this.#now() - failureMilliseconds;
    this.#failures = this.#failures.filter((time) => time > since);
    if (this.#failures.length >= mostFailures) throw new Refusal(429, 'too many wrong logins: wait a minute');
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookiesOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='));
  return new Map(parts.map(([name = '', value = '']) => [name, value]));
}
