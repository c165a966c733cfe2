/* Prints the same whatever its malloc is. */
#include <sqlite3.h>
#include <stdio.h>

static int print_row(void *unused, int columns, char **values, char **names) {
    (void)unused;
    for (int i = 0; i < columns; i++)
        printf("%s=%s ", names[i], values[i] != NULL ? values[i] : "NULL");
    puts("");
    return 0;
}

static int run(sqlite3 *database, const char *statement) {
    char *error = NULL;
    if (sqlite3_exec(database, statement, print_row, NULL, &error) == SQLITE_OK)
        return 0;
    printf("%s\n", error);
    sqlite3_free(error);
    return 1;
}

int main(void) {
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK)
        return 1;
    const char *const statements[] = {
        "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, weight REAL)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
        "INSERT INTO item SELECT i, printf('item %d of %s', i, hex(i * 7919)), i * 0.25 FROM n",
        "CREATE INDEX by_name ON item(name)",
        "SELECT count(*), sum(weight), min(name), max(name) FROM item",
        "UPDATE item SET name = name || replace(hex(zeroblob(20)), '00', 'ab') WHERE id % 3 = 0",
        "SELECT a.id, b.name FROM item a JOIN item b ON b.id = a.id * 2 WHERE a.id % 7000 = 0 ORDER BY b.name",
        "SELECT substr(name, 6, 1) AS digit, count(*), total(weight) FROM item GROUP BY digit ORDER BY digit",
        "DELETE FROM item WHERE id % 2 = 0",
        "VACUUM",
        "SELECT count(*), group_concat(id % 10, '') FROM (SELECT id FROM item ORDER BY name LIMIT 200)",
        "PRAGMA integrity_check",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (run(database, statements[i]) != 0)
            return 1;
    return sqlite3_close(database) != SQLITE_OK;
}
