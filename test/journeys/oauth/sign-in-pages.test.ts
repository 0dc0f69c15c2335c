import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { findAccessToken } from '../../../auth/grants.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { account } from '../../services/account-fixture.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorizeUrl,
  enter,
  formTokenOf,
  CALLBACK,
  onwardOf,
  registeredApp,
  send,
  signInUser,
  useOauthHost,
  type Visit,
  Visitor,
} from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

let app: Awaited<ReturnType<typeof registeredApp>>;
let user: Awaited<ReturnType<typeof signInUser>>;
let visitor: Visitor;
beforeAll(async () => {
  app = await registeredApp({ scopes: ['account.read', 'vehicles.read'] });
  user = await signInUser();
});
beforeEach(() => {
  visitor = new Visitor(service.at);
});

const url = () => authorizeUrl(service.at, { client_id: app.client_id, state: 's' });
const signInPage = () => visitor.get(url());
const signedIn = () => visitor.signIn(url(), user);
const credentials = () => ({ email: user.email, password: user.password });
/** Has the user asked each time, whatever was allowed before. */
const MUST_ASK = { prompt: 'consent' };
const grants = () => OauthRecordStore.countDocuments(testService, { kind: 'Grant', user_key: user.key });
/** The text of the alert on a page. */
const alertOf = ({ text }: Visit) => /role="alert"[^>]*>([^<]*)/.exec(text)?.[1];

describe('the sign-in page', () => {
  test('asks for email and password, by a form that works without scripts', async () => {
    const { status, text } = await signInPage();
    expect(status).toBe(200);
    expect(text).toMatch(/<input[^>]* name="email"/);
    expect(text).toMatch(/<input[^>]* name="password" type="password" autocomplete="current-password"/);
    expect(text).not.toContain('<script');
  });

  test('takes the e-mail address in any letter case', async () => {
    const page = await visitor.post(actionOf(await signInPage()), {
      ...credentials(),
      email: ` ${user.email.toUpperCase()} `,
    });
    expect(page.text).toContain('name="decision" value="allow"');
  });

  test('goes back to the app when the user cancels', async () => {
    const page = await visitor.post(actionOf(await signInPage()), { email: '', password: '', decision: 'deny' });
    expect(new URL(page.url).searchParams.get('error')).toBe('access_denied');
  });

  test('says the same to a wrong password, an unknown address, and a user who is shut out', async () => {
    const shutOut = await signInUser();
    await UserStore.updateOne(unrestricted(testService), { key: shutOut.key }, { disabled: true });
    const attempts = [
      { email: user.email, password: 'wrong' },
      { email: 'nobody@example.com', password: 'wrong' },
      { email: shutOut.email, password: shutOut.password },
    ];
    const page = await signInPage();
    const answers: unknown[] = [];
    for (const attempt of attempts) {
      const answer = await visitor.post(actionOf(page), attempt);
      answers.push([
        answer.status,
        alertOf(answer),
        answer.text.replaceAll(attempt.email, '').replace(/nonce="[^"]+"/g, ''),
      ]);
    }
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(answers[0]).toEqual([422, 'E-mail address or password is wrong. Please try again.', expect.any(String)]);
  });

  test('signs in with a new identifier, whatever cookie the browser has brought', async () => {
    visitor.cookies.set('__Host-waybridge_session', 'planted');
    await signedIn();
    expect(visitor.cookies.get('__Host-waybridge_session')).toMatch(/^[\w-]{20,}$/);
    expect(visitor.cookies.get('__Host-waybridge_session')).not.toBe('planted');
  });
});

describe('a user of several accounts', () => {
  /** Users of one address and password, in two accounts of these names. */
  async function twoUsers() {
    const [bakery, mill] = [await account({ nickname: 'Bakery' }), await account({ nickname: '<b>Mill</b>' })];
    const one = await signInUser(bakery.key);
    return [one, await signInUser(mill.key, [], { email: one.email })] as const;
  }
  const choiceOf = ({ text }: Visit) => /name="choice" value="([^"]+)"/.exec(text)?.[1] ?? '';

  test('chooses one, which the consent page names, and allows the app access to that one', async () => {
    const [one, two] = await twoUsers();
    const page = await visitor.signIn(url(), one);
    expect(page.text).toContain('<h1>Choose an account</h1>');
    expect([...page.text.matchAll(/name="user" value="([^"]+)"/g)].map(([, key]) => key)).toEqual([one.key, two.key]);
    const consent = await visitor.post(actionOf(page), { choice: choiceOf(page), user: two.key });
    expect(consent.text).toContain('to <bdi class="name">&lt;b&gt;Mill&lt;/b&gt;</bdi>');
    await visitor.post(actionOf(consent), { decision: 'allow', scope: 'account.read' });
    const [grant] = await OauthRecordStore.find(testService, { kind: 'Grant', user_key: { $in: [one.key, two.key] } });
    expect(grant?.user_key).toBe(two.key);
  });

  test('chooses one on a page of the service’s own, which names it', async () => {
    const [one, two] = await twoUsers();
    const page = await enter(service.at, visitor, '/security', one);
    const choice = { choice: choiceOf(page), form_token: formTokenOf(page) };
    const security = await visitor.post(actionOf(page), { ...choice, user: two.key });
    expect(security.text).toContain('<bdi class="name">&lt;b&gt;Mill&lt;/b&gt;</bdi>');
    const again = await new Visitor(service.at).get(`${service.at.issuer}/security`);
    expect(again.text).toContain('<h1>Sign in</h1>');
  });

  test('signs in again when the choice has been used, is another browser’s, or was made up', async () => {
    const [one, two] = await twoUsers();
    const page = await visitor.signIn(url(), one);
    const choice = choiceOf(page);
    const stranger = new Visitor(service.at);
    expect((await stranger.post(actionOf(page), { choice, user: one.key })).status).toBe(410);
    const other = await signInUser();
    const rejected = async (fields: Record<string, string>) => {
      const answer = await visitor.post(actionOf(page), fields);
      expect([answer.status, alertOf(answer)]).toEqual([422, expect.stringContaining('Please sign in again')]);
    };
    await rejected({ choice: 'made-up', user: two.key });
    await rejected({ choice, user: other.key });
    await rejected({ choice, user: two.key });
  });
});

describe('guessing', () => {
  test('is refused by 429 after 10 failures in 10 minutes, also with the right password, and not for longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const guessed = await signInUser();
      const action = actionOf(await signInPage());
      const attempt = (password: string) => visitor.post(action, { email: guessed.email, password });
      for (let failure = 1; failure <= 10; failure++) expect((await attempt('wrong')).status).toBe(422);
      const locked = await attempt(guessed.password);
      expect(locked.status).toBe(429);
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(500);
      expect(alertOf(locked)).toMatch(/Wait 10 minutes/);
      expect((await visitor.post(action, credentials())).status).toBe(200);

      vi.setSystemTime(Date.now() + 601_000);
      const answer = await new Visitor(service.at).signIn(url(), guessed);
      expect(answer.text).toContain('name="decision"');
    } finally {
      vi.useRealTimers();
    }
  });

  test('many times simultaneously is counted as well, for an address that does not exist as for one that does', async () => {
    const action = actionOf(await signInPage());
    for (const email of [(await signInUser()).email, 'unknown@example.com']) {
      const all = Array.from({ length: 16 }, () => visitor.post(action, { email, password: 'wrong' }));
      const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
      expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
      expect(statuses.slice(10)).toEqual(Array(6).fill(429));
    }
  });
});

describe('the consent page', () => {
  test('says which app asks for what, in plain words', async () => {
    const { text } = await signedIn();
    expect(text).toContain('Allow <bdi class="name">Route planner</bdi> to use your account?');
    expect(text).toContain('see the account, its users, devices and groups');
    expect(text).toContain('You will then be sent to <strong>planner.example</strong>');
    expect(text).toContain(user.email);
  });

  test('shows the name of an app as text, whatever is in it', async () => {
    const name = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>';
    app = await registeredApp({ scopes: ['account.read'], name });
    const [signIn, consent] = [await signInPage(), await signedIn()];
    for (const { text } of [signIn, consent]) {
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img');
      expect(text).not.toMatch(/<script|<img/);
    }
    app = await registeredApp({ scopes: ['account.read', 'vehicles.read'] });
  });

  test('denies: the app gets access_denied, and nothing is granted', async () => {
    const consent = await signedIn();
    const before = await grants();
    const { url: back } = await visitor.post(actionOf(consent), { decision: 'deny', scope: 'account.read' });
    expect(Object.fromEntries(new URL(back).searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
    expect(await grants()).toBe(before);
  });

  test('asks again when nothing is ticked', async () => {
    const page = await visitor.post(actionOf(await signedIn()), { decision: 'allow' });
    expect([page.status, alertOf(page)]).toEqual([422, 'Tick what you allow, or choose Deny']);
  });

  describe('that is answered', () => {
    const allow = { decision: 'allow', scope: 'account.read' };
    const heading = ({ text }: Visit) => /<h1>([^<]*)/.exec(text)?.[1];
    const resumed = (consent: Visit) => actionOf(consent).replace('/request/', '/');
    const ways = [
      ['is allowed again', (consent: Visit) => visitor.post(actionOf(consent), allow)],
      ['is denied now', (consent: Visit) => visitor.post(actionOf(consent), { decision: 'deny' })],
      ['is shown again', (consent: Visit) => visitor.get(actionOf(consent))],
      ['is reloaded', (consent: Visit) => visitor.get(resumed(consent))],
    ] as const;

    test.each(ways)('leads to the same place with the same code when it %s', async (_, again) => {
      const consent = await signedIn();
      const before = await grants();
      const { url: first } = await visitor.post(actionOf(consent), allow);
      expect((await again(consent)).url).toBe(first);
      expect(await grants()).toBe(before + 1);
    });

    test.each(ways)('says that the app has the answer when it %s after the code was redeemed', async (_, again) => {
      const consent = await signedIn();
      const { url: first } = await visitor.post(actionOf(consent), allow);
      const code = new URL(first).searchParams.get('code') ?? '';
      const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...app };
      const { status, body } = await send(service.at, '/oauth/token', fields);
      const page = await again(consent);
      expect([status, page.status, heading(page)]).toEqual([200, 410, 'You have already answered']);
      expect(await findAccessToken(testService, String(body.access_token))).not.toBeNull();
    });

    test.each(ways)('has expired when it %s after the life of the code', async (_, again) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        const consent = await signedIn();
        await visitor.post(actionOf(consent), allow);
        vi.setSystemTime(Date.now() + 60_000);
        const page = await again(consent);
        expect([page.status >= 400, heading(page)]).toEqual([true, 'This request has expired']);
      } finally {
        vi.useRealTimers();
      }
    });

    test.each(ways)('opens nothing when it %s in another browser', async (_, again) => {
      const consent = await signedIn();
      const { url: first } = await visitor.post(actionOf(consent), allow);
      for (const cookie of [null, 'guessed']) {
        const [name = ''] = [...visitor.cookies.keys()].filter((key) => consent.url.endsWith(key.slice(-21)));
        visitor = new Visitor(service.at);
        if (cookie !== null) visitor.cookies.set(name, cookie);
        const { url, text } = await again(consent);
        expect(url + text).not.toContain(new URL(first).searchParams.get('code'));
      }
    });

    test('leads to the same place after it was denied', async () => {
      const consent = await signedIn();
      const { url: first } = await visitor.post(actionOf(consent), { decision: 'deny' });
      expect(Object.fromEntries(new URL(first).searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
      for (const [, again] of ways) expect((await again(consent)).url).toBe(first);
    });

    test('leads to the same place when it is allowed four times at the same time, by one grant', async () => {
      const consent = await signedIn();
      const before = await grants();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => {
          const browser = new Visitor(service.at);
          for (const [name, value] of visitor.cookies) browser.cookies.set(name, value);
          return browser.post(actionOf(consent), allow);
        }),
      );
      const codes = answers.map(({ url: back }) => new URL(back).searchParams.get('code'));
      expect([codes.filter(Boolean).length, new Set(codes).size]).toEqual([4, 1]);
      expect(await grants()).toBe(before + 1);
    });

    test('leads to the app from a server that was killed after any write of the answer', async () => {
      const names = ['create', 'updateOne', 'findOneAndUpdate', 'deleteOne'];
      for (let writes = 0, isDead = true; isDead; writes++) {
        visitor = new Visitor(service.at);
        const consent = await visitor.signIn(authorizeUrl(service.at, { client_id: app.client_id, ...MUST_ASK }), user);
        const killed = dieAfter(writes, [OauthRecordStore], names);
        await visitor.post(actionOf(consent), allow);
        isDead = killed.isDead();
        vi.restoreAllMocks();
        const { url: back } = await visitor.post(actionOf(consent), allow);
        const code = new URL(back).searchParams.get('code') ?? '';
        const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...app };
        expect([writes, (await send(service.at, '/oauth/token', fields)).status]).toEqual([writes, 200]);
        if (!isDead) expect(writes).toBeGreaterThan(5);
      }
    });

    test('of a sign-in leads to the question that follows, also once its answer was lost', async () => {
      const page = await signInPage();
      const consent = await visitor.post(actionOf(page), credentials());
      for (const again of [await visitor.get(actionOf(page)), await visitor.post(actionOf(page), credentials())]) {
        expect(again.text).toContain('name="decision" value="allow"');
      }
      expect(new URL((await visitor.post(actionOf(consent), allow)).url).searchParams.get('code')).toBeTruthy();
    });

    test('signs nobody in again who has signed out', async () => {
      const page = await signInPage();
      await visitor.post(actionOf(page), credentials());
      visitor.cookies.delete('__Host-waybridge_session');
      for (const again of [await visitor.get(actionOf(page)), await visitor.get(resumed(page))]) {
        expect(again.text).toContain('name="password"');
      }
    });
  });

  test('does not wait for two requests of one browser in each other’s place', async () => {
    const other = await registeredApp({ scopes: ['account.read'], name: 'Fuel log' });
    const first = await signedIn();
    const second = await visitor.get(authorizeUrl(service.at, { client_id: other.client_id }));
    expect(second.text).toContain('Fuel log');
    const fields = { decision: 'allow', scope: 'account.read' };
    for (const page of [first, second]) {
      expect(new URL((await visitor.post(actionOf(page), fields)).url).searchParams.get('code')).toBeTruthy();
    }
  });
});

describe('forgery', () => {
  test.each<[string, Record<string, string>]>([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['no origin that could be named', { origin: 'null' }],
    ['a cross-site form', { 'sec-fetch-site': 'cross-site' }],
    ['a form of a neighbouring host', { 'sec-fetch-site': 'same-site' }],
  ])('of consent by %s allows nothing', async (_, headers) => {
    const consent = await signedIn();
    const before = await grants();
    const page = await visitor.post(actionOf(consent), { decision: 'allow', scope: 'account.read' }, headers);
    expect([page.status, await grants()]).toEqual([403, before]);
    expect(page.text).toContain('Nothing was allowed');
  });

  test('of consent from another browser, which has the address and no cookie, allows nothing', async () => {
    const consent = await signedIn();
    const before = await grants();
    const page = await new Visitor(service.at).post(actionOf(consent), { decision: 'allow', scope: 'account.read' });
    expect([page.status, await grants()]).toEqual([410, before]);
  });

  test('of consent in the session of somebody else allows nothing', async () => {
    const consent = await signedIn();
    const other = new Visitor(service.at);
    await other.signIn(url(), await signInUser());
    visitor.cookies.set('__Host-waybridge_session', other.cookies.get('__Host-waybridge_session') ?? '');
    const before = await grants();
    const page = await visitor.post(actionOf(consent), { decision: 'allow', scope: 'account.read' });
    expect([page.status, await grants()]).toEqual([409, before]);
    expect(page.text).toContain('Another user has signed in');
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['a scope that was not asked for', { decision: 'allow', scope: ['account.read', 'account.manage'] }],
    ['two decisions', { decision: ['allow', 'allow'], scope: 'account.read' }],
    ['another decision', { decision: 'always', scope: 'account.read' }],
    ['no decision', { scope: 'account.read' }],
  ])('with %s gets a helpful page', async (_, fields) => {
    const page = await visitor.post(actionOf(await signedIn()), fields);
    expect(page.status).toBe(400);
    expect(page.text).toContain('This form cannot be accepted');
  });

  test.each(['unknown', '..%2f..', '%00', 'x'.repeat(500)])(
    'of the address of a request (%s) gets a helpful page',
    async (uid) => {
      const page = await visitor.get(`${service.at.issuer}/authorize/request/${uid}`);
      expect([page.status, page.text.includes('This request has expired')]).toEqual([410, true]);
      const resumed = await visitor.get(`${service.at.issuer}/authorize/${uid}`);
      expect([resumed.status, resumed.text.includes('This request has expired')]).toEqual([400, true]);
    },
  );
});

test('a request expires after half an hour, with a page that says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const action = actionOf(await signInPage());
    vi.setSystemTime(Date.now() + 1_801_000);
    const page = await visitor.post(action, credentials());
    expect([page.status, page.text.includes('This request has expired')]).toEqual([410, true]);
  } finally {
    vi.useRealTimers();
  }
});

test('nothing may frame a page, a form leads to this service alone, and a window keeps its opener', async () => {
  const consent = await signedIn();
  const onward = await visitor.post(actionOf(consent), { decision: 'allow', scope: 'account.read' });
  expect(onwardOf(onward)).toBe(onward.url);
  const expired = await visitor.get(`${service.at.issuer}/authorize/request/unknown`);
  const wrong = await visitor.get(`${service.at.issuer}/authorize`);
  const pages = [await new Visitor(service.at).get(url()), consent, onward, expired, wrong];
  for (const { headers } of pages) {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'nonce-[\w-]{22}'(;|$)/);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(policy).toMatch(/form-action 'self'(;|$)/);
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
  }
  for (const path of ['/security', '/apps', '/security/reset', '/security/reset?token=x']) {
    const { headers } = await visitor.get(service.at.issuer + path);
    expect([path, headers.get('cross-origin-opener-policy')]).toEqual([path, 'same-origin']);
  }
});

test('a redirect URI with markup is shown as it is, in the address alone, and one that is a script is no address', async () => {
  const redirect_uri = `https://planner.example/o'hare?"><script>alert(1)</script>`;
  const odd = await registeredApp({ scopes: ['account.read'], redirect_uris: [redirect_uri] });
  const page = await visitor.signIn(authorizeUrl(service.at, { client_id: odd.client_id, redirect_uri }), user);
  const onward = await visitor.post(actionOf(page), { decision: 'allow', scope: 'account.read' });
  expect(onwardOf(onward)).toMatch(/^https:\/\/planner\.example\/o&#39;hare\?[^"'<>]*code=/);
  expect(onward.text.match(/<script/g)).toHaveLength(1);
  for (const script of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x']) {
    const { client_id } = await registeredApp({ scopes: ['account.read'], redirect_uris: [script], isPublic: true });
    const { status, text } = await visitor.get(authorizeUrl(service.at, { client_id, redirect_uri: script }));
    expect([script, status, text.includes(script)]).toEqual([script, 400, false]);
  }
});

test.each([
  `"><script>alert(1)</script><a href="`,
  `' onclick='alert(1)`,
  'javascript:alert(1)',
  '</script><script>alert(1)</script>',
  '\u2028\r\nLocation: https://evil.example',
])('the page that leads to the app shows state %j as it is, in the address alone', async (state) => {
  const page = await visitor.signIn(authorizeUrl(service.at, { client_id: app.client_id, state }), user);
  const onward = await visitor.post(actionOf(page), { decision: 'allow', scope: 'account.read' });
  const { origin, searchParams } = new URL(onwardOf(onward) ?? '');
  expect([origin, searchParams.get('state')]).toEqual([new URL(CALLBACK).origin, state]);
  expect(onward.text.match(/<script/g)).toHaveLength(1);
  expect(onward.text).not.toMatch(/alert\(1\)<| onclick=/);
});

test('somebody who is shut out while signed in must sign in again', async () => {
  const someone = await signInUser();
  await visitor.signIn(url(), someone);
  await UserStore.updateOne(unrestricted(testService), { key: someone.key }, { disabled: true });
  const page = await signInPage();
  expect([page.status, page.text.includes('name="password"')]).toEqual([200, true]);
  const next = await visitor.post(actionOf(page), credentials());
  expect(next.text).toContain('name="decision"');
});
