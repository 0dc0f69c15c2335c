import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { escapeText, nastyForm, nastyQuery, nastyText } from '../nasty-values.ts';
import type { Fields, World } from '../world.ts';

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Requests to the OAuth endpoints and to the pages on which people answer. */
export function oauthRequest(dice: Dice, world: World): Draft {
  return dice.weighted<(dice: Dice, world: World) => Draft>([
    [4, authorize],
    [4, endpoint],
    [2, interaction],
    [5, platformForm],
    [2, page],
  ])(dice, world);
}

function authorize(dice: Dice, { app, browser }: World): Draft {
  const fields = {
    response_type: dice.pick(['code', 'code', 'code', 'token', 'none', 'code id_token']),
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    scope: dice.pick(['account.read', 'account.read vehicles.read', 'openid', 'x', '']),
    state: nastyText(dice).slice(0, 500),
    code_challenge: CHALLENGE,
    code_challenge_method: dice.pick(['S256', 'S256', 'plain']),
    ...(dice.chance(0.3) && { prompt: dice.pick(['none', 'login', 'consent', 'none login', 'x']) }),
    ...(dice.chance(0.2) && { [dice.pick(ODD_PARAMETERS)]: nastyText(dice).slice(0, 500) }),
  };
  const headers: Fields = dice.chance(0.4) ? [['Cookie', browser.cookie]] : [];
  const target = `/authorize?${nastyForm(dice, fields)}`.slice(0, 14_000);
  return {
    caller: headers.length > 0 ? 'browser' : 'visitor',
    method: dice.pick(['GET', 'GET', 'GET', 'HEAD']),
    target,
    headers,
  };
}

const ODD_PARAMETERS = [
  'response_mode',
  'request',
  'request_uri',
  'resource',
  'claims',
  'max_age',
  'nonce',
  'acr_values',
  'ui_locales',
  'display',
  'id_token_hint',
  'login_hint',
  'web_message_uri',
  'dpop_jkt',
];

function endpoint(dice: Dice, { app, trip }: World): Draft {
  const path = dice.pick(['/oauth/token', '/oauth/token', '/oauth/revoke', '/oauth/introspect']);
  const fields = {
    ...(path === '/oauth/token'
      ? {
          grant_type: dice.pick(['authorization_code', 'refresh_token', 'client_credentials', 'password', 'x']),
          code: dice.pick(['x', 'a'.repeat(43), nastyText(dice)]),
          refresh_token: dice.pick(['x', 'a'.repeat(43), nastyText(dice)]),
          redirect_uri: app.redirect_uri,
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          scope: 'account.read',
        }
      : {
          token: path === '/oauth/introspect' && dice.chance(0.5) ? trip.access_token : nastyText(dice),
          token_type_hint: 'access_token',
        }),
    ...(dice.chance(0.7) && { client_id: app.client_id, client_secret: app.client_secret }),
    ...(dice.chance(0.1) && { resource: nastyText(dice) }),
  };
  const basic = Buffer.from(dice.chance(0.7) ? `${app.client_id}:${app.client_secret}` : nastyText(dice)).toString(
    'base64',
  );
  const headers: Fields = [
    dice.chance(0.9)
      ? FORM
      : ['Content-Type', dice.pick(['application/json', 'multipart/form-data', 'text/plain', ''])],
    ...(dice.chance(0.4) ? [['Authorization', `Basic ${basic}`] as const] : []),
  ];
  return { caller: 'app', method: 'POST', target: path, headers, body: nastyForm(dice, fields) };
}

function interaction(dice: Dice, { browser }: World): Draft {
  const id = dice.pick(['x', 'a'.repeat(21), 'a'.repeat(43), escapeText(dice, nastyText(dice))]);
  const target = dice.pick([`/authorize/request/${id}`, `/authorize/${id}`]);
  const headers: Fields = dice.chance(0.5) ? [['Cookie', oddCookie(dice, browser.cookie)]] : [];
  if (dice.chance(0.5)) return { caller: 'browser', method: 'GET', target, headers };
  const fields = {
    decision: dice.pick(['allow', 'deny']),
    scope: 'account.read',
    email: 'x@example.com',
    password: 'x',
  };
  return { caller: 'browser', method: 'POST', target, headers: [...headers, FORM], body: nastyForm(dice, fields) };
}

const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/apps/register': {
    name: 'Hostile',
    redirect_uris: 'https://a.example/cb https://b.example/cb',
    is_public: 'yes',
    requires_pkce: 'yes',
  },
  '/apps/secret': { client_id: 'x' },
  '/apps/pkce': { client_id: 'x', requires_pkce: 'yes' },
  '/apps/delete': { client_id: 'x' },
  '/apps/revoke': { grant: 'x', key: 'x' },
  '/security/password': { current: 'wrong', password: 'x', repeat: 'x', revoke_grants: 'no' },
  '/security/end-session': { session: 'x' },
  '/security/revoke': { grant: 'x' },
  '/security/revoke-key': { key: 'x' },
  '/security/reset': { token: 'x', password: 'x', repeat: 'x' },
  '/console/vehicle/x/imports': { file: 'x', format: 'gpx' },
  '/start': { code: 'x', name: 'x', email: 'x@hostile.example', password: 'oats and barley, milk' },
};
const SIGN_IN_FORMS = ['/apps/sign-in', '/security/sign-in', '/console/sign-in'];

function platformForm(dice: Dice, { browser, issuer, known }: World): Draft {
  const isSignIn = dice.chance(0.15);
  const target = isSignIn ? dice.pick(SIGN_IN_FORMS) : dice.pick(Object.keys(FORMS));
  const fields: Record<string, string> = isSignIn
    ? { email: `${dice.below(1000)}@hostile.example`, password: nastyText(dice), form_token: 'x' }
    : { ...FORMS[target], form_token: browser.form_token };
  if (fields.client_id !== undefined && dice.chance(0.3)) fields.client_id = dice.pick(known.client_id ?? ['x']);
  const headers: Fields = [
    dice.chance(0.93)
      ? FORM
      : ['Content-Type', dice.pick(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])],
    ['Cookie', isSignIn ? '__Host-waybridge_form=x' : oddCookie(dice, browser.cookie)],
    ['Origin', dice.chance(0.9) ? issuer : dice.pick(['null', 'https://evil.example', ''])],
    ...(dice.chance(0.1) ? [['Sec-Fetch-Site', dice.pick(['cross-site', 'same-origin', 'x'])] as const] : []),
  ];
  return { caller: 'browser', method: 'POST', target, headers, body: nastyForm(dice, fields) };
}

const PAGES = [
  '/apps',
  '/security',
  '/console',
  '/console/vehicle?key=x',
  '/console/sign-in?to=//x',
  '/console/files/vehicles.js',
  '/security/reset',
  '/start',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/change-password',
];

function page(dice: Dice, { browser }: World): Draft {
  const target = dice.pick(PAGES) + (dice.chance(0.5) ? nastyQuery(dice, ['token', 'fault', 'x']) : '');
  const headers: Fields = dice.chance(0.6) ? [['Cookie', oddCookie(dice, browser.cookie)]] : [];
  return { caller: 'browser', method: dice.pick(['GET', 'GET', 'HEAD', 'OPTIONS']), target, headers };
}

function oddCookie(dice: Dice, cookie: string): string {
  if (dice.chance(0.7)) return cookie;
  return dice.pick([
    `${cookie}; ${cookie}`,
    '__Host-waybridge_session=',
    '__Host-waybridge_session=%ff%00',
    `__Host-waybridge_session=${'x'.repeat(3000)}`,
    '; ; =; a; =b',
    '"',
    `${cookie.slice(0, 50)}`,
  ]);
}
