/** A request to the receiver of a webhook. */
export interface NotificationRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Response of a receiver. */
export interface NotificationAnswer {
  readonly status_code: number;
  /** The beginning of the answer. */
  readonly response: string;
  /** Seconds or a date, as in the header. */
  readonly retry_after: string | null;
}

/** Sends a request to a receiver; rejects if there is no answer in time, or the receiver must not be contacted. */
export type PostNotification = (request: NotificationRequest) => Promise<NotificationAnswer>;

/** Sends the notifications of a service to receivers. */
export interface NotificationSender {
  readonly post: PostNotification;
  /** False for a host that is known to be forbidden before a request is sent. */
  readonly mayReach: (url: URL) => boolean;
}

/** Sends nothing: for programs that do not notify receivers. */
export const NO_SENDER: NotificationSender = {
  post: () => Promise.reject(new Error('Nothing is sent to receivers here')),
  mayReach: () => true,
};
