import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Storage of a kind of record that this service does not keep: whatever the library asks of it is a fault. */
export class RejectingAdapter<Kind extends string = string> implements Adapter {
  readonly kind: Kind;

  /** @param kind what the library calls the records */
  constructor(kind: Kind) {
    this.kind = kind;
  }

  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {
    throw this.#rejection('written');
  }

  async find(_id: string): Promise<AdapterPayload | undefined> {
    throw this.#rejection('looked up');
  }

  async findByUserCode(_userCode: string): Promise<AdapterPayload | undefined> {
    throw this.#rejection('looked up by user code');
  }

  async findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    throw this.#rejection('looked up by uid');
  }

  async consume(_id: string): Promise<void> {
    throw this.#rejection('consumed');
  }

  async destroy(_id: string): Promise<void> {
    throw this.#rejection('destroyed');
  }

  async revokeByGrantId(_grantId: string): Promise<void> {
    throw this.#rejection('revoked');
  }

  #rejection(done: string): TypeError {
    return new TypeError(`Refused: records of kind ${this.kind} are not ${done}`);
  }
}
