/* Prints the same whatever its malloc is. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static const char script[] = "local words, sum = {}, 0\n"
                             "for i = 1, 60000 do\n"
                             "  local word = string.format('%x', i * 2654435761 % 4294967296):rep(i % 5 + 1)\n"
                             "  words[#words + 1] = {name = word, rank = i % 97}\n"
                             "  sum = (sum * 31 + #word) % 1000000007\n"
                             "end\n"
                             "table.sort(words, function(a, b)\n"
                             "  if a.rank ~= b.rank then return a.rank < b.rank end\n"
                             "  return a.name < b.name\n"
                             "end)\n"
                             "print(#words, sum, words[1].name, words[30000].name, words[60000].name)\n"
                             "local text = {}\n"
                             "for i = 1, 2000 do text[i] = words[i].name end\n"
                             "local joined = table.concat(text, ',')\n"
                             "print(#joined, joined:sub(1, 60), select(2, joined:gsub('a', 'b')))\n"
                             "words, text = nil, nil\n"
                             "collectgarbage()\n"
                             "local co = coroutine.wrap(function() for i = 1, 1000 do coroutine.yield(i * i) end end)\n"
                             "local total = 0\n"
                             "for _ = 1, 1000 do total = total + co() end\n"
                             "print(total)\n";

int main(void) {
    lua_State *state = luaL_newstate();
    if (state == NULL)
        return 1;
    luaL_openlibs(state);
    if (luaL_dostring(state, script) != LUA_OK) {
        printf("%s\n", lua_tostring(state, -1));
        return 1;
    }
    lua_close(state);
    return 0;
}
