import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { DateTime } from '../../schema/date-time-scalars.ts';
import { Event, EventConnection, EventName } from '../../schema/events/event.ts';
import { After, First, type Page } from '../../schema/page.ts';

import { readWindow } from '../../schema/read-window.ts';
import { eventPage, findEvent } from './event-page.ts';

/** Events of vehicles. */
@Resolver()
export class EventResolver {
  @Access('account_activity.read')
  @Query(() => EventConnection, { description: 'Events of vehicles, newest first, then by key.' })
  events(
    @Arg('event', () => EventName, { nullable: true, description: 'Only events of this kind.' })
    event: EventName | null | undefined,
    @Arg('vehicle_key', () => String, { nullable: true, description: 'Only events of this vehicle.' })
    vehicle_key: string | null | undefined,
    @Arg('happened_after', () => DateTime, {
      nullable: true,
      description: 'Only events at this date-time or later (ISO 8601, GMT unless stated).',
    })
    happened_after: string | null | undefined,
    @Arg('happened_before', () => DateTime, {
      nullable: true,
      description: 'Only events before this date-time (ISO 8601, GMT unless stated).',
    })
    happened_before: string | null | undefined,
    @First(10) first: number | null,
    @After() after: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Page<Event>> {
    const window = readWindow('happened_', happened_after, happened_before);
    return eventPage(context, { event, vehicle_key, window, first: first ?? 10, after });
  }

  @Access('account_activity.read')
  @Query(() => Event, { nullable: true, description: 'One event.' })
  event(
    @Arg('key', () => String, { description: 'Key of the event.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Event> {
    return findEvent(context, key);
  }
}
