import { Field, Int, ObjectType } from 'type-graphql';

/** Whether something is open for comments, or for pings. */
export const OPEN_OR_CLOSED = ['open', 'closed'] as const;

/**
 * The settings of the developer website. A setting that has been reset and has no default is null. Specification: section
 * D, `/wp/v2/settings`; `url` and `email` come in addition.
 */
@ObjectType({ simpleResolvers: true, description: 'The settings of the developer website.' })
export class SiteSettings {
  @Field(() => String, { nullable: true, description: 'Site title.' })
  readonly title!: string | null;

  @Field(() => String, { nullable: true, description: 'Site tagline.' })
  readonly description!: string | null;

  @Field(() => String, { nullable: true, description: 'Site URL.' })
  readonly url!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'This address is used for admin purposes, like new user notification.',
  })
  readonly email!: string | null;

  @Field(() => String, { nullable: true, description: 'A city in the same timezone as you.' })
  readonly timezone!: string | null;

  @Field(() => String, { nullable: true, description: 'A date format for all date strings.' })
  readonly date_format!: string | null;

  @Field(() => String, { nullable: true, description: 'A time format for all time strings.' })
  readonly time_format!: string | null;

  @Field(() => Int, { nullable: true, description: 'A day number of the week that the week should start on.' })
  readonly start_of_week!: number | null;

  @Field(() => String, { description: 'WordPress locale code.' })
  readonly language!: string;

  @Field(() => Boolean, { description: 'Convert emoticons like :-) and :-P to graphics on display.' })
  readonly use_smilies!: boolean;

  @Field(() => Int, { nullable: true, description: 'Default post category.' })
  readonly default_category!: number | null;

  @Field(() => String, { nullable: true, description: 'Default post format.' })
  readonly default_post_format!: string | null;

  @Field(() => Int, { description: 'Blog pages show at most.' })
  readonly posts_per_page!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Allow link notifications from other blogs (pingbacks and trackbacks) on new articles.',
  })
  readonly default_ping_status!: string | null;

  @Field(() => String, { nullable: true, description: 'Allow people to post comments on new articles.' })
  readonly default_comment_status!: string | null;
}
