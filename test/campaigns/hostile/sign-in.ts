import type { httpsClient } from '../../clients/https-client.ts';
import type { World } from './world.ts';

/** Signs a user in at the developer platform, as a browser does; throws where that fails. */
export async function signIn(
  issuer: string,
  fetch: ReturnType<typeof httpsClient>,
  { email, password }: World['owner'],
): Promise<World['browser']> {
  const form = await fetch(`${issuer}/apps`);
  const formCookie = cookiesOf(form.headers['set-cookie']);
  const fields = new URLSearchParams({ email, password, form_token: formTokenIn(form.text) });
  const entered = await fetch(`${issuer}/apps/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: formCookie, Origin: issuer },
    body: fields.toString(),
  });
  if (entered.status !== 303) throw new Error(`Signing in was answered with ${entered.status}`);
  const cookie = cookiesOf(entered.headers['set-cookie']);
  const page = await fetch(`${issuer}/apps`, { headers: { Cookie: cookie } });
  return { cookie, form_token: formTokenIn(page.text) };
}

function cookiesOf(header: string | string[] | undefined): string {
  return [header ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

function formTokenIn(page: string): string {
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
