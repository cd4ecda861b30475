import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const usesDatabase =
  /support\/(database|services|outside|[a-z]+-scene|connected-seller|watched-account)|edit-test-scene|campaigns-test-account|open-database|TEST_DATABASE_URL/

export function databaseTests(root) {
  return ['src', 'tests']
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(path => join(folder, String(path))))
    .filter(path => path.endsWith('.test.ts') && usesDatabase.test(readFileSync(join(root, path), 'utf8')))
}
