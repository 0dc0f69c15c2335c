import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { Untyped } from '../../schema/untyped.ts';
import { Receipt } from '../../schema/vehicles/receipt.ts';
import { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import { readObject } from '../../tracking/ingest/json-reader.ts';
import { sentBy } from './find-devices.ts';
import type { MessageReader } from '../../tracking/ingest/message-reader.ts';
import { MESSAGE_READERS } from '../../tracking/ingest/message-readers.ts';
import { recordOne, refusedOr, senderOf } from '../../tracking/ingest/record-sent.ts';

/** The types of the answers, by their names. */
const ANSWER_TYPES = { outcome: () => IngestResult, 'empty list': () => [Untyped], receipt: () => Receipt };

/** Resolvers that take positions from apps of telephones, each in the form in which one app sends them. */
export const MESSAGE_RESOLVERS = Object.values(MESSAGE_READERS).map(messageResolver);

function messageResolver({ mutation, description, messageDescription, answer, read }: MessageReader) {
  @Resolver()
  class MessageResolver {
    @Access('ingest')
    @Mutation(ANSWER_TYPES[answer], { name: mutation, description })
    async ingestMessage(
      @Arg('message', () => Untyped, { description: messageDescription }) message: unknown,
      @Ctx() { service, caller }: RequestContext,
    ): Promise<IngestResult | Receipt | unknown[]> {
      const sender = senderOf(caller);
      // The apps send again, before all others, whatever is not answered with success.
      const outcome = await refusedOr(
        async () => read(readObject('message', message), Date.now()),
        async (points) => recordOne(service, sender, await sentBy(service, sender, { serial: null, points })),
      );
      return { outcome, 'empty list': [], receipt: { result: 'ok' } }[answer];
    }
  }
  return MessageResolver;
}
