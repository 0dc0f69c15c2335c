import type { ErrorOut } from 'oidc-provider';

import { type Html, html } from '../../http/answers/html.ts';

/** A message to a user: the problem, and what to do. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** The protocol's own message, for developers of the app. */
  readonly detail?: string;
}

/** Messages that several pages show, by their cause. */
export const MESSAGES = {
  expired: {
    title: 'This request has expired',
    text: 'It was answered a while ago, has timed out, or was started in another browser. Go back to the app and start again.',
  },
  redeemed: {
    title: 'You have already answered',
    text: 'The app has received your answer. Go back to it, or close this page. If it does not let you in, start again there.',
  },
  tampered: {
    title: 'This form cannot be accepted',
    text: 'It was modified, or sent by another site. Nothing was allowed. Go back to the app and start again.',
  },
  otherUser: {
    title: 'Another user has signed in',
    text: 'Another user has signed in to this browser since the question was shown. Nothing was allowed. Go back to the app and start again.',
  },
  busy: {
    title: 'The service is busy',
    text: 'Nothing was changed. Please wait a moment, then try again.',
  },
  fault: {
    title: 'Something went wrong on our side',
    text: 'Nothing was changed. Please try again in a moment.',
  },
} as const satisfies Record<string, Message>;

/** Explains an error of an authorization request that cannot be returned to its app (RFC 6749, section 4.1.2.1). */
export function authorizationMessage({ error, error_description }: ErrorOut): Message {
  const detail = error_description === undefined ? error : `${error}: ${error_description}`;
  switch (error) {
    case 'server_error':
      return MESSAGES.fault;
    case 'invalid_client':
      return {
        title: 'This app is not known here',
        text: 'The link that brought you here names an app that is not registered. Nothing was shared.',
        detail,
      };
    case 'invalid_redirect_uri':
      return {
        title: 'This app sent a wrong return address',
        text: 'It is not one that the app has registered, so you are not sent there. Nothing was shared.',
        detail,
      };
    default:
      return /expired|not found|mismatch/.test(error_description ?? '')
        ? MESSAGES.expired
        : {
            title: 'This app sent a request that cannot be answered',
            text: 'Its developers need to fix it. Nothing was shared.',
            detail,
          };
  }
}

/** Writes the body of a page that only shows a message. */
export function messageCard({ title, text, detail }: Message): Html {
  return html`<div class="card">
<h1>${title}</h1>
<p class="lead">${text}</p>
${detail !== undefined && html`<p class="small">For the app’s developers: <code>${detail}</code></p>`}
</div>`;
}
