import type { Authority } from '../../auth/index.ts';
import type { Clock } from '../../observe/index.ts';

/** The parts that a renewal needs. */
export interface RenewalOptions {
  readonly clock: Clock;
  /** Opens the authority again, which replaces the certificates that near their end. */
  readonly reopen: () => Promise<Authority>;
  readonly authority: Authority;
  /** Called with an authority that has other certificates than before. */
  readonly onRenewed: (authority: Authority) => void;
  readonly onFault: (error: unknown) => void;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Looks after certificates once a day: they last a year, and a hub that is never restarted must not lock everybody out
 * at the end of it.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  #authority: Authority;
  #cancel: () => void;
  #closed = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#authority = options.authority;
    this.#cancel = options.clock.after(day, this.#look);
  }

  /** With the certificates of today. */
  get authority(): Authority {
    return this.#authority;
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  readonly #look = (): void => {
    this.#cancel = this.#options.clock.after(day, this.#look);
    void this.#renewed().catch(this.#options.onFault);
  };

  async #renewed(): Promise<void> {
    const fresh = await this.#options.reopen();
    const { serving, admin } = this.#authority;
    if (this.#closed || (isSame(fresh.serving, serving) && isSame(fresh.admin, admin))) return;
    this.#authority = fresh;
    this.#options.onRenewed(fresh);
  }
}

const isSame = (a: Authority['serving'], b: Authority['serving']): boolean => a.certificate === b.certificate;
