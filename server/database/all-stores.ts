import { allStores, type AnyStore } from '../../models/store/plain-store.ts';

import '../../models/account/account.ts';
import '../../models/account/api-key.ts';
import '../../models/account/app-registration-count.ts';
import '../../models/account/app.ts';
import '../../content/models/comment.ts';
import '../../content/models/content-item.ts';
import '../../content/models/event-count.ts';
import '../../content/models/content-stamp.ts';
import '../../models/service-secret.ts';
import '../../content/models/item-words.ts';
import '../../content/models/pending-change.ts';
import '../../content/models/sequence.ts';
import '../../content/models/site-settings.ts';
import '../../content/models/term.ts';
import '../../content/models/upload.ts';
import '../../content/models/website-user.ts';
import '../../models/trips/device-minute.ts';
import '../../models/vehicles/device.ts';
import '../../models/account/deleted-record.ts';
import '../../models/account/group.ts';
import '../../models/account/idempotent-answer.ts';
import '../../models/vehicles/ingest-key.ts';
import '../../models/vehicles/ingest-rejection.ts';
import '../../models/sign-in/known-browser.ts';
import '../../models/sign-in/oauth-record.ts';
import '../../models/leases/installation-lease.ts';
import '../../models/places/place.ts';
import '../../models/places/visit.ts';
import '../../models/store/permission-stamp.ts';
import '../../models/server-messages.ts';
import '../../models/vehicles/privacy-zone.ts';
import '../../models/account/security-event.ts';
import '../../models/sign-in/sign-in-attempt.ts';
import '../../models/sign-in/signing-key.ts';
import '../../models/account/billing-subscription.ts';
import '../../models/changes/change.ts';
import '../../models/store/logged-model.ts';
import '../../models/account/tag.ts';
import '../../models/trips/trip-points-bucket.ts';
import '../../models/trips/trip.ts';
import '../../models/trips/trip-import.ts';
import '../../models/account/user.ts';
import '../../models/vehicles/vehicle-event.ts';
import '../../models/vehicles/vehicle.ts';
import '../../models/rules/rule.ts';
import '../../models/rules/rule-event.ts';
import '../../models/shares/share.ts';
import '../../models/usage/app-requests.ts';
import '../../models/usage/usage.ts';
import '../../models/webhooks/webhook-delivery.ts';
import '../../models/webhooks/webhook.ts';

/** All stores: each file that makes one is imported above. */
export function everyStore(): readonly AnyStore[] {
  return allStores();
}
