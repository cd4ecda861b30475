export { auditColumns, auditEntriesOf, recordManagedCall } from './audit-log.ts'
export { checkLogJob, knownBreaks } from './check-log.job.ts'
export { managerOf, requireManageable } from './manage.ts'
export { manageableUsers } from './users.ts'
