/** A site whose pages can be embedded. */
interface Provider {
  /** Addresses of its pages. */
  readonly pages: RegExp;
  /** Address that describes how a page is embedded; `{format}` stands for `json`. */
  readonly endpoint: string;
}

/** The sites from which the proxy fetches embeds. Source: the well-known providers of WordPress that answer today. */
const PROVIDERS: readonly Provider[] = [
  provider('(?:(?:m|www)\\.)?youtube\\.com/(?:watch|playlist|shorts/|live/)', 'https://www.youtube.com/oembed'),
  provider('youtu\\.be/', 'https://www.youtube.com/oembed'),
  provider('(?:[\\w-]+\\.)*vimeo\\.com/', 'https://vimeo.com/api/oembed.{format}'),
  provider('(?:www\\.)?dailymotion\\.com/', 'https://www.dailymotion.com/services/oembed'),
  provider('dai\\.ly/', 'https://www.dailymotion.com/services/oembed'),
  provider('(?:www\\.)?flickr\\.com/', 'https://www.flickr.com/services/oembed/'),
  provider('flic\\.kr/', 'https://www.flickr.com/services/oembed/'),
  provider('(?:[\\w-]+\\.)*smugmug\\.com/', 'https://api.smugmug.com/services/oembed/'),
  provider('(?:www\\.)?scribd\\.com/(?:doc|document)/', 'https://www.scribd.com/services/oembed'),
  provider('wordpress\\.tv/', 'https://wordpress.tv/oembed/'),
  provider(
    '(?:www\\.)?twitter\\.com/\\w{1,15}(?:/(?:status(?:es)?|lists|timelines)/|/likes$|$)',
    'https://publish.twitter.com/oembed',
  ),
  provider('(?:www\\.)?soundcloud\\.com/', 'https://soundcloud.com/oembed'),
  provider('(?:[\\w-]+\\.)*slideshare\\.net/', 'https://www.slideshare.net/api/oembed/2'),
  provider('(?:open|play)\\.spotify\\.com/', 'https://open.spotify.com/oembed'),
  provider('(?:[\\w-]+\\.)*imgur\\.com/', 'https://api.imgur.com/oembed'),
  provider('(?:www\\.)?issuu\\.com/.+/docs/', 'https://issuu.com/oembed_wp'),
  provider('(?:www\\.)?mixcloud\\.com/', 'https://app.mixcloud.com/oembed/'),
  provider('(?:(?:www|embed)\\.)?ted\\.com/talks/', 'https://www.ted.com/services/v1/oembed.{format}'),
  provider('(?:www\\.)?(?:animoto|video214)\\.com/play/', 'https://animoto.com/oembeds/create'),
  provider('[\\w-]+\\.tumblr\\.com/', 'https://www.tumblr.com/oembed/1.0'),
  provider('(?:www\\.)?kickstarter\\.com/projects/', 'https://www.kickstarter.com/services/oembed'),
  provider('cloudup\\.com/', 'https://cloudup.com/oembed'),
  provider('(?:www\\.)?reverbnation\\.com/', 'https://www.reverbnation.com/oembed'),
  provider('videopress\\.com/v/', 'https://public-api.wordpress.com/oembed/'),
  provider('(?:www\\.)?reddit\\.com/r/[^/]+/comments/', 'https://www.reddit.com/oembed'),
  provider('(?:www\\.)?speakerdeck\\.com/', 'https://speakerdeck.com/oembed.{format}'),
  provider('(?:www\\.)?screencast\\.com/', 'https://api.screencast.com/external/oembed'),
];

/** Hosts of the sites that are listed, and of those below them. */
const HOSTS: readonly string[] = [
  ...['youtube.com', 'youtu.be', 'vimeo.com', 'dailymotion.com', 'dai.ly', 'flickr.com', 'flic.kr', 'smugmug.com'],
  ...['scribd.com', 'wordpress.tv', 'wordpress.com', 'twitter.com', 'soundcloud.com', 'slideshare.net', 'spotify.com'],
  ...['imgur.com', 'issuu.com', 'mixcloud.com', 'ted.com', 'animoto.com', 'video214.com', 'tumblr.com'],
  ...['kickstarter.com', 'cloudup.com', 'reverbnation.com', 'videopress.com', 'reddit.com', 'speakerdeck.com'],
  'screencast.com',
];

function provider(pages: string, endpoint: string): Provider {
  return { pages: new RegExp(`^https?://${pages}`, 'i'), endpoint };
}

/** Returns the address at which a listed site describes one of its pages; null for a page of no listed site. */
export function endpointFor(page: string): string | null {
  return PROVIDERS.find(({ pages }) => pages.test(page))?.endpoint.replace('{format}', 'json') ?? null;
}

/** Returns true if the proxy may request a host: a listed site's, or one below it. */
export function isListedHost(hostname: string): boolean {
  return HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
