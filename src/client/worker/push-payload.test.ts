import { expect, it } from 'vitest'
import { ownPath, readPush } from './push-payload.ts'

it('makes a notification of every push, even a broken one', () => {
  const broken = readPush(() => {
    throw new SyntaxError('no JSON')
  })
  expect(broken).toEqual({ title: 'Tideline', body: '', tag: 'tideline', url: '/notifications', badge: undefined })
  expect(readPush(() => null).title).toBe('Tideline')
})
it('takes what the server sent', () => {
  expect(
    readPush(() => ({ title: 'Out of budget', body: 'Bottle', tag: 'b1', url: '/campaigns?state=on', badge: 2 })),
  ).toEqual({
    title: 'Out of budget',
    body: 'Bottle',
    tag: 'b1',
    url: '/campaigns?state=on',
    badge: 2,
  })
})
it.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', ''])('never leads to %s', url => {
  expect(ownPath(url)).toBe('/notifications')
})
