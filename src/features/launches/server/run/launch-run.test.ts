import { expect, test } from 'vitest'
import { asLogText } from './launch-run.ts'

test('a body is kept as JSON, and nothing stays nothing', () => {
  expect(asLogText({ keywords: [{ keywordText: 'mat', bid: 1.2 }] })).toBe(
    '{"keywords":[{"keywordText":"mat","bid":1.2}]}',
  )
  expect([asLogText(null), asLogText(undefined)]).toEqual([null, null])
})
test('what names itself a secret is left out, wherever it stands', () => {
  const text = asLogText({ a: [{ accessToken: 'x1', nested: { client_secret: 'x2', userEmail: 'x3' } }], name: 'mat' })
  expect(text).not.toMatch(/x[123]/)
  expect(text).toContain('"name":"mat"')
})
test('a long list is cut, says how much is missing, and is JSON still', () => {
  const text = asLogText({
    keywords: Array.from({ length: 5000 }, (_, i) => ({ keywordText: `yoga mat ${i}`, bid: i })),
  })
  expect((text ?? '').length).toBeLessThanOrEqual(50_000)
  const { keywords } = JSON.parse(text ?? '') as { keywords: unknown[] }
  expect(keywords.at(-1)).toBe(`... and ${5000 - (keywords.length - 1)} more`)
})
