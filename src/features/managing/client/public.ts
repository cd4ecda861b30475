export { fullName, UserFinder } from './user-finder.tsx'
