export { type Look, lookOf, profileForReport } from './profiles.ts'
