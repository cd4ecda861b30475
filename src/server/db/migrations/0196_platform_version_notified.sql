-- Tables of tenants have no triggers, so that they can be distributed: the statement that raises a version notifies it.
drop trigger version_invalidation on tenant_version;
