export { auditColumns, auditEntriesOf, recordManagedCall } from './audit-log.ts'
export { checkLogJob, knownBreaks } from './check-log.job.ts'
