import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tideline-folder-'))
})
afterAll(() => rmSync(root, { recursive: true }))

test('makes what is missing, and leaves alone what is there', () => {
  const deep = join(root, 'a', 'b', 'c')
  makeFolder(deep)
  makeFolder(deep)
  expect(existsSync(deep)).toBe(true)
})

test('where a folder cannot be made it says so at once', () => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file', 'data'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  // Only where there is such a tree of the kernel's own, in which nobody makes anything.
  const kernels = '/proc/tideline/data'
  if (existsSync('/proc/self'))
    expect(() => makeFolder(kernels)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^E(NOENT|ACCES|PERM)$/) }),
    )
})
