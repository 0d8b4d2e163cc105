/** An overrider that cannot be applied; the message says what is wrong with which field. */
export class OverrideFailure extends Error {}
