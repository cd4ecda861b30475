import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from './envelope.ts'

const old = { id: 'k1', key: randomBytes(32) }
const next = { id: 'k2', key: randomBytes(32) }

test('what was sealed opens again, and looks different each time', () => {
  const vault = createVault([old])
  const sealed = vault.seal('Atzr|secret', 'connection:1')
  expect(vault.open(sealed, 'connection:1')).toBe('Atzr|secret')
  expect(vault.seal('Atzr|secret', 'connection:1')).not.toBe(sealed)
  expect(sealed).not.toContain('secret')
})

test('a value copied to another row does not open', () => {
  const vault = createVault([old])
  expect(() => vault.open(vault.seal('x', 'connection:1'), 'connection:2')).toThrow()
})

test('a changed bit does not open', () => {
  const vault = createVault([old])
  const sealed = vault.seal('a longer secret', 'c')
  const at = sealed.lastIndexOf('.') + 20
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
  expect(() => vault.open(changed, 'c')).toThrow()
})

test('after a rotation old values open, are wrapped again, and then no longer need the old key', () => {
  const sealed = createVault([old]).seal('token', 'c')
  const rewrapped = createVault([next, old]).rewrap(sealed, 'c')
  expect(createVault([next, old]).open(sealed, 'c')).toBe('token')
  expect(createVault([next]).open(rewrapped, 'c')).toBe('token')
  expect(() => createVault([next]).open(sealed, 'c')).toThrow('k1')
})
