import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { Untyped } from '../../schema/untyped.ts';
import { Receipt } from '../../schema/vehicles/receipt.ts';
import { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import type { IngestPath } from '../../schema/vehicles/ingest-rejection.ts';
import { readObject } from '../../tracking/ingest/json-reader.ts';
import { sentBy } from './find-devices.ts';
import type { MessageReader } from '../../tracking/ingest/message-reader.ts';
import { MESSAGE_READERS } from '../../tracking/ingest/message-readers.ts';
import { noting } from '../../tracking/ingest/received.ts';
import { recordOne, refusedOr, senderOf } from '../../tracking/ingest/record-sent.ts';

/** The types of the answers, by their names. */
const ANSWER_TYPES = { outcome: () => IngestResult, 'empty list': () => [Untyped], receipt: () => Receipt };

/** Resolvers that take positions from apps of telephones, each in the form in which one app sends them. */
export const MESSAGE_RESOLVERS = Object.entries(MESSAGE_READERS).map(([path, reader]) =>
  messageResolver(path as IngestPath, reader),
);

function messageResolver(path: IngestPath, reader: MessageReader) {
  const { mutation, description, messageDescription, deviceKey, answer } = reader;
  @Resolver()
  class MessageResolver {
    @Access('ingest')
    @Mutation(ANSWER_TYPES[answer], { name: mutation, description })
    async ingestMessage(
      @Arg('message', () => Untyped, { description: messageDescription }) message: unknown,
      @Ctx() { service, caller }: RequestContext,
    ): Promise<IngestResult | Receipt | unknown[]> {
      const sender = senderOf(caller);
      const received = { path, message, secrets: typeof deviceKey === 'string' ? [] : deviceKey };
      const read = async () => reader.read(readObject('message', message), Date.now());
      // The apps send again, before all others, whatever is not answered with success.
      const outcome = await refusedOr(
        () => noting(service, sender, received, read),
        async ({ reports, ignored }) => {
          const found = () => sentBy(service, sender, { serial: null, reports });
          const sent = await noting(service, sender, received, found);
          return recordOne(service, sender, { ...received, ignored }, sent);
        },
      );
      return { outcome, 'empty list': [], receipt: { result: 'ok' } }[answer];
    }
  }
  return MessageResolver;
}
