/** A request to the receiver of a webhook. */
export interface NotificationRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Answer of a receiver. */
export interface NotificationAnswer {
  readonly status_code: number;
  /** The beginning of the answer. */
  readonly response: string;
  /** Seconds or a date, as the header has it. */
  readonly retry_after: string | null;
}

/** Sends a request to a receiver; rejects where there is no answer in time, or the receiver may not be reached. */
export type PostNotification = (request: NotificationRequest) => Promise<NotificationAnswer>;

/** The way from a process to receivers. */
export interface NotificationSender {
  readonly post: PostNotification;
  /** False for a host that is known to be forbidden before a request is sent. */
  readonly mayReach: (url: URL) => boolean;
}

let sender: NotificationSender = {
  post: () => Promise.reject(new Error('Nothing is sent to receivers here')),
  mayReach: () => true,
};

/** Sets how this process sends requests to receivers. */
export function setNotificationSender(used: NotificationSender): void {
  sender = used;
}

/** Sends a request to a receiver as this process does. */
export const postNotification: PostNotification = (request) => sender.post(request);

/** Returns false for a receiver to which this process is known to send nothing. */
export function mayReachReceiver(url: URL): boolean {
  return sender.mayReach(url);
}
