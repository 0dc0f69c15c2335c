import type { Store } from '../store/store.ts';
import { ofDevice, type Recorder } from './device-minute.ts';
import { changeRecords, type ConfirmingRecorder, type LeasedRecord, takeRecords } from './leased-records.ts';
import { dateAt, OPEN_END } from './trip.ts';

/** A span of time in milliseconds since 1970, including both ends; an open one ends at Infinity. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Facts of a span with the key by which it is stored. */
export type Known<Facts extends Span> = Facts & { readonly key: string };

type Fields = Readonly<Record<string, unknown>>;

type Stored = LeasedRecord & { readonly until: Date };

/** A kind of spans that follow from the positions of a device, such as visits. */
export interface SpanKind<Record extends Stored, Facts extends Span> {
  readonly store: Pick<Store<Record, unknown>, 'find' | 'findOne' | 'updateMany' | 'updateOne' | 'deleteMany'>;
  /** Name of the field with the beginning; the end is in `until`. */
  readonly begin: string & keyof Record;
  /** The key of a span in a vehicle by a device, so that repeated computation creates it only once. */
  keyOf(facts: Facts, device: ReturnType<typeof ofDevice>): string;
  /** Fields that never change, except those of the device and of {@link LeasedRecord}. */
  made(facts: Facts): Fields;
  /** Fields that change while a span is open. */
  changing(facts: Facts): Fields;
  factsOf(record: Record): Facts;
  /** Returns true if a span stays staged: it is hidden. */
  isHidden?(facts: Facts): boolean;
  /** Condition on spans that stay staged. */
  readonly hidden?: Fields;
}

/** Spans of a kind, which are read and changed under the lease of their device. */
export class DerivedSpans<Record extends Stored, Facts extends Span> {
  readonly #kind: SpanKind<Record, Facts>;

  constructor(kind: SpanKind<Record, Facts>) {
    this.#kind = kind;
  }

  /**
   * Spans of a device that were not over before a span of time, and began by its end, taken over from earlier holders of its
   * lease: later writes of these have no effect.
   *
   * @param condition of those to read; all by default
   */
  async within(recorder: Recorder, span: Span, condition: Fields = {}): Promise<Known<Facts>[]> {
    const { store, hidden, factsOf } = this.#kind;
    const isShown = { staged: false };
    const shown = hidden ? { $or: [isShown, hidden] } : isShown;
    const found = await takeRecords<Record>(store, recorder, { ...condition, ...this.#overlapping(span), ...shown });
    return found.map((record) => ({ ...factsOf(record), key: record.key }));
  }

  /** Returns true if a device has spans that overlap a span of time. */
  async hasAny(recorder: Recorder, span: Span, condition: Fields = {}): Promise<boolean> {
    const filter = { ...ofDevice(recorder), ...condition, ...this.#overlapping(span) };
    return (await this.#kind.store.findOne(recorder.accessScope, filter as never, 'key')) !== null;
  }

  /**
   * Replaces the spans that were read of a device with the given ones. Returns true if any were new.
   * @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone
   */
  async replace(
    recorder: ConfirmingRecorder,
    read: readonly Known<Facts>[],
    spans: readonly Facts[],
  ): Promise<boolean> {
    const { store, keyOf, made, changing, isHidden } = this.#kind;
    const known = new Map(read.map((one) => [one.key, JSON.stringify(changing(one))]));
    const keyed = spans.map((facts) => ({ facts, key: keyOf(facts, ofDevice(recorder)), fields: changing(facts) }));
    const kept = new Set(keyed.map(({ key }) => key));
    const added = keyed.filter(({ key }) => !known.has(key));
    await changeRecords(store, recorder, {
      added: added.map(({ key, facts, fields }) => ({ key, ...made(facts), ...fields })),
      hidden: new Set(added.filter(({ facts }) => isHidden?.(facts)).map(({ key }) => key)),
      changed: keyed.filter(({ key, fields }) => known.has(key) && known.get(key) !== JSON.stringify(fields)),
      removed: read.map(({ key }) => key).filter((key) => !kept.has(key)),
    });
    return added.length > 0;
  }

  /** Removes staged spans of earlier holders of a device's lease. */
  async removeStaged(recorder: Recorder): Promise<void> {
    const { store, hidden } = this.#kind;
    const filter = { ...ofDevice(recorder), staged: true, ...(hidden && { $nor: [hidden] }) };
    await store.deleteMany(recorder.accessScope, filter as never);
  }

  #overlapping({ from, until }: Span): Fields {
    return { until: { $gte: dateAt(from) }, [this.#kind.begin]: { $lte: dateAt(until) } };
  }
}

/** The instant of a stored date, in milliseconds since 1970; Infinity for {@link OPEN_END}. */
export function instantOf(date: Date): number {
  return date.getTime() === OPEN_END.getTime() ? Infinity : date.getTime();
}
