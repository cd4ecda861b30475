export { isPushWanted, setPushWanted } from './push.ts'
export { PushOffer } from './push-offer.tsx'
export { notificationQueries } from './queries.ts'
