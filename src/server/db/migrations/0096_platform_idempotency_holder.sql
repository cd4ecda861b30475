-- Who works on a call, so that one whose lease was taken over meanwhile neither ends nor frees what is another's.
alter table idempotency_key add column holder text;
