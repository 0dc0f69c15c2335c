import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { axeViolations } from '../../browser/axe-violations.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

import { websiteDocument } from './content-site-pages.ts';
import { listeningSite } from './site-world.ts';

useDatabase();

let app: FastifyInstance;
let browser: Browser;
let site: string;

/** Code and a table that are wider than a phone, a caption, and a gallery. */
const RICH = `<pre>${'const way = 1; '.repeat(40)}</pre>

<table><tbody><tr>${'<td>unbreakable</td>'.repeat(30)}</tr></tbody></table>

[caption width="40"]<img src="https://old.example/wp-content/uploads/diagram.png" alt="Two wires" width="40" height="30" /> A caption that is much longer than its picture is wide[/caption]

[gallery ids="9" columns="1"]`;

/** The website of the tests, with so many pages that no header has room for them. */
function documentWithManyPages() {
  const { pages, ...others } = websiteDocument();
  const [first] = pages;
  const more = Array.from({ length: 40 }, (_, at) => ({
    ...first,
    id: 1000 + at,
    slug: `page-${at}`,
    title: { raw: `Page ${at} with a long name` },
  }));
  const rich = { ...first, id: 2000, slug: 'rich', title: { raw: 'Rich' }, content: { raw: RICH } };
  return { ...others, pages: [...pages, ...more, rich] };
}

beforeAll(async () => {
  ({ app, site } = await listeningSite(documentWithManyPages()));
  PAGES['a preview of a draft'] = await pathOfPreview();
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await app?.close();
});

const PAGES: Record<string, string> = {
  'the front page': '/',
  'the page of the component': '/docs/component',
  'the index of the documentation': '/docs',
  'a document with examples in several languages': '/docs/trip-map',
  'a document with tables': '/docs/graphql',
  'the reference of the API': '/docs/api',
  'a search that finds documents': '/?s=webhooks',
  'the blog': '/blog/',
  'a category': '/category/news/',
  'a tag': '/tag/c-more/',
  'an author': '/author/mara/',
  'a month': '/2024/03/',
  'a post with comments and a form': '/2024/03/01/first/',
  'a post with a picture': '/2024/03/02/second/',
  'an answer to a comment': '/2024/03/01/first/?replytocom=1',
  'thanks for a comment': '/2024/03/01/first/?comment=received',
  'a post with a password': '/2024/04/04/locked/',
  'a page': '/about/',
  'an attachment': '/diagram/',
  'results of a search': '/?s=Text',
  'a search without results': '/?s=giraffe',
  'a search without words': '/?s=',
  'an address that leads nowhere': '/nope/',
  'the embedded form of a post': '/2024/03/01/first/embed/',
};

async function pathOfPreview(): Promise<string> {
  const { application_password } = await addWebsiteUser(testService, 'ed', 'ed@example.com', 'administrator');
  const authorization = `Basic ${Buffer.from(`ed:${application_password}`).toString('base64')}`;
  const answer = await app.inject({ url: '/wp-json/wp/v2/posts/24/preview', headers: { authorization } });
  return answer.json<{ link: string }>().link.slice(site.length);
}

const SCREENS = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((colors) => ({ width, colors })));

/** The pages to look at on a screen: in a sample every eighth of them, another eighth on each screen. */
function pagesFor(screen: { readonly width: number; readonly colors: string }): readonly [string, string][] {
  const turn = SCREENS.findIndex(({ width, colors }) => width === screen.width && colors === screen.colors);
  const all = Object.entries(PAGES);
  return runSize(
    all.filter((_, at) => at % (2 * SCREENS.length) === turn),
    all,
  );
}

describe.each(SCREENS)('on a screen of $width pixels in $colors colors', ({ width, colors }) => {
  test('axe finds nothing on any kind of page, and none is wider than the screen', async () => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: colors });
    onTestFinished(() => page.close());
    for (const [kind, path] of pagesFor({ width, colors })) {
      await page.goto(site + path);
      expect(await axeViolations(page), kind).toEqual([]);
      const summary = page.locator('.menu summary');
      if (await summary.isVisible()) {
        await summary.click();
        expect(await axeViolations(page), `${kind}, menu open`).toEqual([]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), kind).toBeLessThanOrEqual(width);
    }
  });
});

describe.each(runSize(SCREENS.slice(0, 1), SCREENS))(
  'on a screen of $width pixels in $colors colors',
  ({ width, colors }) => {
    test('axe finds nothing on forms that were filled in wrongly, or opened', async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: colors });
      onTestFinished(() => page.close());
      await page.goto(`${site}/2024/04/04/locked/`);
      for (const [password, text] of [
        ['wrong', 'This is not the password.'],
        ['sesame', 'The zebra is secret'],
      ] as const) {
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Open' }).click();
        await page.getByText(text).waitFor();
        expect(await axeViolations(page), text).toEqual([]);
      }
      await page.goto(`${site}/2024/03/01/first/`);
      await page.locator('#respond form').evaluate((form: HTMLFormElement) => form.setAttribute('novalidate', ''));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').waitFor();
      expect(await axeViolations(page)).toEqual([]);
    });
  },
);

test.each(runSize([320], [320, 768, 960, 1000]))('no page is wider than a screen of %i pixels', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 640 } });
  onTestFinished(() => page.close());
  for (const path of Object.values(PAGES)) {
    await page.goto(site + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
  }
});

test('code, tables and captions need no style that the policy refuses, and what scrolls is reached by the keyboard', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  onTestFinished(() => page.close());
  const refused: string[] = [];
  page.on(
    'console',
    (message) => void (message.text().includes('Content Security Policy') && refused.push(message.text())),
  );
  await page.goto(`${site}/rich/`);
  expect(await axeViolations(page)).toEqual([]);
  expect(refused).toEqual([]);
  const scrolling = page.locator('.prose :is(pre, table)');
  expect(await scrolling.count()).toBe(2);
  for (const element of await scrolling.all()) {
    expect(await element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    await element.focus();
    expect(await element.evaluate((node) => node === document.activeElement)).toBe(true);
  }
  const caption = await page.locator('.wp-caption').boundingBox();
  const picture = await page.locator('.wp-caption img').boundingBox();
  expect(caption?.width).toBe(picture?.width);
});
