import { expect, test } from 'vitest';

import { useContentHost } from '../../hosts/content-host.ts';

const host = useContentHost({ lan: '192.168.1.20' });

const HTML = '<script>alert(1)</script><form action="/security/password"></form><b onclick="y()">b</b>';

test.each(['administrator', 'editor'] as const)(
  'on the local network, where the website has the host of the sign-in pages, an %s writes no unfiltered HTML',
  async (role) => {
    const json = { title: HTML, content: HTML, status: 'publish' };
    const post = (await host.call(role, 'POST', '/wp/v2/posts', { json })).json();
    expect(post).toMatchObject({ title: { raw: 'alert(1)<b>b</b>' }, content: { raw: 'alert(1)<b>b</b>' } });
    const comment = { json: { post: post.id, content: HTML } };
    const { content } = (await host.call(role, 'POST', '/wp/v2/comments', comment)).json();
    expect(content.raw).toBe('alert(1)<b>b</b>');
    const { capabilities } = (await host.call(role, 'GET', '/wp/v2/users/me?context=edit')).json();
    expect(capabilities).toMatchObject({ [role]: true, edit_posts: true });
    expect(capabilities).not.toHaveProperty('unfiltered_html');
  },
);
