import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generateWire } from './generate-wire.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// `npm run unit -- tests/sandbox-contract/stripe/wire.test.ts --update` writes both files again after an update of the client.
test('what the emulator takes and gives is what the types of the official client say', async () => {
  const { wire, answers } = generateWire()
  await expect(wire).toMatchFileSnapshot(pathOf('../../../src/sandbox/stripe/wire/wire.json'))
  await expect(answers).toMatchFileSnapshot(pathOf('answers.schema.json'))
})
