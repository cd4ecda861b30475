/** The test files that need a database, as paths from `root`: `npm run check` skips them, `npm test` runs them on both engines. */
export function databaseTests(root: string): string[]
