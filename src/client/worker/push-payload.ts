/** What the server puts into a push. */
export interface PushPayload {
  title: string
  body: string
  tag: string
  /** Address to open, below our own origin. */
  url: string
  badge: number | undefined
}

const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback

/** Reads a push. Every push must show something, so whatever arrives becomes a notification. */
export const readPush = (json: () => unknown): PushPayload => {
  let data: Record<string, unknown> = {}
  try {
    const parsed = json()
    if (parsed && typeof parsed === 'object') data = parsed as Record<string, unknown>
  } catch {
    // Not ours; the notification below still says that something happened.
  }
  return {
    title: text(data.title, 'Tideline'),
    body: text(data.body, ''),
    tag: text(data.tag, 'tideline'),
    url: ownPath(text(data.url, '/notifications')),
    badge: typeof data.badge === 'number' ? data.badge : undefined,
  }
}

/** Keeps an address inside the app: a push must not lead elsewhere. */
export const ownPath = (url: string): string => (/^\/(?![/\\])/.test(url) ? url : '/notifications')
