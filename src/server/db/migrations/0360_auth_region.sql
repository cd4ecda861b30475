-- A format is a language with its region: until now an account that had chosen none was written in English of no region.
alter table account alter column locale set default 'en-US';
update account set locale = 'en-US' where locale = 'en';
