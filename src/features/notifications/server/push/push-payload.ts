import type { NotificationText } from '../../rules.ts'

// Cut by code points, because half a surrogate pair is not valid text.
function shorten(text: string, maxLength: number): string {
  const points = Array.from(text)
  return points.length <= maxLength ? text : `${points.slice(0, maxLength - 1).join('')}…`
}

/**
 * The payload of a declarative push, which Safari shows on its own and our worker reads in other browsers. Always below
 * 3,000 bytes, which every push service accepts.
 */
export function pushPayload(notification: NotificationText & { cause: string }, publicUrl: string): string {
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title: shorten(notification.title, 80),
      body: shorten(notification.body, 300),
      navigate: new URL(notification.url, publicUrl).href,
      tag: notification.cause,
    },
  })
}
