import { type PushButton, pushButtons } from './push-buttons.ts'

/** What a push shows, and what its buttons do. */
export interface PushContent {
  title: string
  body: string
  /** A path of the app. */
  url: string
  tag: string
  /** What the user has to decide in all. */
  openCount: number
  /** False where it only adds to a push that arrived just now. */
  isLoud: boolean
  tokens?: Partial<Record<PushButton, string>>
}

// Cut by code points, because half a surrogate pair is not valid text.
function shorten(text: string, maxLength: number): string {
  const points = Array.from(text)
  return points.length <= maxLength ? text : `${points.slice(0, maxLength - 1).join('')}…`
}

const maxBytes = 2900

/**
 * The payload of a declarative push, which Safari shows on its own and our worker reads in other browsers. Always below
 * 3,000 bytes, which every push service accepts.
 */
export function pushPayload(content: PushContent, publicUrl: string): string {
  // The text is at most six times as long in JSON; the address and the buttons have their room too.
  for (const bodyLength of [300, 150, 60]) {
    const payload = JSON.stringify(declared(content, publicUrl, bodyLength))
    if (Buffer.byteLength(payload) <= maxBytes) return payload
  }
  return JSON.stringify(declared({ ...content, url: '/notifications' }, publicUrl, 60))
}

function declared(
  { title, body, url, tag, openCount, isLoud, tokens = {} }: PushContent,
  publicUrl: string,
  max: number,
) {
  const navigate = new URL(url, publicUrl).href
  const actions = (Object.keys(tokens) as PushButton[]).map(action => ({
    action,
    title: pushButtons[action],
    navigate,
  }))
  return {
    web_push: 8030,
    app_badge: openCount,
    notification: {
      title: shorten(title, 80),
      body: shorten(body, max),
      navigate,
      tag,
      ...(isLoud && { renotify: true }),
      ...(actions.length && { actions, data: { tokens } }),
    },
  }
}
