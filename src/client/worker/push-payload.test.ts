import { expect, it } from 'vitest'
import { ownPath, readPush } from './push-payload.ts'

const plain = { badge: undefined, isLoud: false, buttons: [] }

it('makes a notification of every push, even a broken one', () => {
  const broken = readPush(() => {
    throw new SyntaxError('no JSON')
  })
  expect(broken).toEqual({ title: 'Tideline', body: '', tag: 'tideline', url: '/home', ...plain })
  expect(readPush(() => null).title).toBe('Tideline')
})
it('takes plain members too', () => {
  expect(
    readPush(() => ({ title: 'Out of budget', body: 'Bottle', tag: 'b1', url: '/campaigns?state=on', app_badge: 2 })),
  ).toEqual({
    title: 'Out of budget',
    body: 'Bottle',
    tag: 'b1',
    url: '/campaigns?state=on',
    ...plain,
    badge: 2,
  })
})
it('takes what the server sent, and of its address only what is below our own', () => {
  const sent = {
    title: 'Created',
    body: '“Mugs”',
    tag: 'launch-4',
    navigate: 'https://tideline.example/campaigns?page=2',
  }
  const { title, body, tag } = sent
  const shown = { title, body, tag, url: '/campaigns?page=2', ...plain }
  expect(readPush(() => ({ web_push: 8030, notification: sent }))).toEqual(shown)
  const elsewhere = { ...sent, navigate: 'https://evil.test//evil.test/' }
  expect(readPush(() => ({ web_push: 8030, notification: elsewhere })).url).toBe('/home')
})
it.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', ''])('never leads to %s', url => {
  expect(ownPath(url)).toBe('/home')
})
it('takes the buttons that have a token, and nothing else for one', () => {
  const actions = [{ action: 'SNOOZE', title: 'Snooze 1 h' }, { action: 'PAUSE_CAMPAIGN', title: 'Pause' }, null, 'x']
  const read = (data: unknown) => readPush(() => ({ notification: { title: 'x', renotify: true, actions, data } }))
  expect(read({ tokens: { SNOOZE: 'abc', PAUSE_CAMPAIGN: 7 } })).toMatchObject({
    isLoud: true,
    buttons: [{ action: 'SNOOZE', title: 'Snooze 1 h', token: 'abc' }],
  })
  for (const data of [undefined, null, 'x', { tokens: null }]) expect(read(data).buttons).toEqual([])
})
