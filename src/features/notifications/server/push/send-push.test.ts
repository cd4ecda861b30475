import { expect, test } from 'vitest'
import { pushPayload } from './send-push.job.ts'

const news = { title: 'Created', body: '“Mugs” is switched on.', url: '/create-campaign-logs', cause: 'launch-42' }

test('a push is one that Safari shows by itself', () => {
  expect(JSON.parse(pushPayload(news, 'https://tideline.example'))).toEqual({
    web_push: 8030,
    notification: {
      title: 'Created',
      body: '“Mugs” is switched on.',
      navigate: 'https://tideline.example/create-campaign-logs',
      tag: 'launch-42',
    },
  })
})

test.each(['🎣', '\u0000', '\ud800', '港', '"', 'x'])('no name, however long, makes it too large (%j)', character => {
  const long = character.repeat(5000)
  const payload = pushPayload({ ...news, title: long, body: long }, 'https://tideline.example')
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3000)
  expect(JSON.parse(payload)).toMatchObject({ notification: { title: `${character.repeat(79)}…` } })
})
