import type { NewsText } from '../../rules.ts'

// Code points, not halves of them: what is cut must stay text.
function shorten(text: string, most: number): string {
  const points = Array.from(text)
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

/**
 * What a push says: the shape of a declarative push, which Safari shows by itself and our worker reads elsewhere. Always
 * below the 3,000 bytes that fit every push service.
 */
export function pushPayload(news: NewsText & { cause: string }, publicUrl: string): string {
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title: shorten(news.title, 80),
      body: shorten(news.body, 300),
      navigate: new URL(news.url, publicUrl).href,
      tag: news.cause,
    },
  })
}
