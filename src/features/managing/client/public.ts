export { managersOnly } from './managers-only.ts'
export { fullName, UserFinder } from './user-finder.tsx'
