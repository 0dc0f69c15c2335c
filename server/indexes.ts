import type { Model } from 'mongoose';

import { AccountModel } from '../models/account.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { AppModel } from '../models/app.ts';
import { CommentModel } from '../models/content/comment.ts';
import { ContentItemModel } from '../models/content/content-item.ts';
import { StampModel } from '../models/content/item-totals.ts';
import { EventCountModel } from '../models/content/event-count.ts';
import { SequenceModel } from '../models/content/sequence.ts';
import { SiteSettingsModel } from '../models/content/site-settings.ts';
import { TermModel } from '../models/content/term.ts';
import { UploadModel, UploadPieceModel } from '../models/content/upload.ts';
import { WebsiteUserModel } from '../models/content/website-user.ts';
import { DeviceModel } from '../models/device.ts';
import { DeviceMinuteModel } from '../models/device-minute.ts';
import { GroupModel } from '../models/group.ts';
import { IngestKeyModel } from '../models/ingest-key.ts';
import { KnownBrowserModel } from '../models/known-browser.ts';
import { OauthRecordModel } from '../models/oauth-record.ts';
import { PrivacyZoneModel } from '../models/privacy-zone.ts';
import { SecurityEventModel } from '../models/security-event.ts';
import { SignInAttemptModel } from '../models/sign-in-attempt.ts';
import { SigningKeyModel } from '../models/signing-key.ts';
import { SubscriptionModel } from '../models/subscription.ts';
import { TripModel } from '../models/trip.ts';
import { TripPointsBucketModel } from '../models/trip-points-bucket.ts';
import { UserModel } from '../models/user.ts';
import { VehicleModel } from '../models/vehicle.ts';

/** Everything that is stored. */
const MODELS: readonly Pick<Model<unknown>, 'createIndexes'>[] = [
  AccountModel,
  ApiKeyModel,
  AppModel,
  CommentModel,
  ContentItemModel,
  DeviceMinuteModel,
  DeviceModel,
  EventCountModel,
  GroupModel,
  IngestKeyModel,
  KnownBrowserModel,
  OauthRecordModel,
  PrivacyZoneModel,
  SecurityEventModel,
  SequenceModel,
  SignInAttemptModel,
  SigningKeyModel,
  SiteSettingsModel,
  StampModel,
  SubscriptionModel,
  TermModel,
  TripModel,
  TripPointsBucketModel,
  UploadModel,
  UploadPieceModel,
  UserModel,
  VehicleModel,
  WebsiteUserModel,
];

/** Makes the indexes that are not there yet; unique ones keep what must be told apart apart. */
export async function createIndexes(): Promise<void> {
  await Promise.all(MODELS.map((model) => model.createIndexes()));
}
