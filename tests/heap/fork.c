/* Children of processes with many threads: they may allocate, free what the parent's threads allocated, and start
 * threads of their own. */
#include "model.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"

#include "alloc/heap/registry.h"
#include "alloc/heap/span.h"

/* Called before every request for memory to the system; may be told to wait there. */
bool vesta_fault_now(void);

static unsigned hold, held;
static _Thread_local bool may_be_held;

bool vesta_fault_now(void) {
    if (may_be_held && __atomic_load_n(&hold, __ATOMIC_ACQUIRE) == 1) {
        give_turn(&held, 1);
        wait_for_turn(&hold, 2);
    }
    return false;
}

static void fork_and_expect(void (*body)(void)) {
    pid_t child = fork();
    assert_return_code(child, 0);
    if (child == 0) {
        alarm(60); /* a hang is a failure */
        body();
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- Blocks that the parent's threads keep exchanging ---- */

enum { THREADS = 4, SHARED = 500 };

typedef struct Shared {
    uint64_t seed;
    size_t size; /* of what follows */
} Shared;

static Shared *shared[SHARED];
static unsigned stop;

static Shared *make_shared(Random *random) {
    size_t size = random_below(random, random_below(random, 100) == 0 ? 300000 : 3000);
    Shared *block = vesta_host_alloc(sizeof *block + size);
    *block = (Shared){random_next(random), size};
    fill_pattern(block + 1, size, block->seed);
    return block;
}

static void free_shared(Shared *block) {
    if (block != NULL)
        assert_true(has_pattern(block + 1, block->size, block->seed));
    vesta_host_free(block);
}

static void exchange(unsigned index) {
    Random random = {index + 1};
    while (__atomic_load_n(&stop, __ATOMIC_ACQUIRE) == 0)
        free_shared(
            __atomic_exchange_n(&shared[random_below(&random, SHARED)], make_shared(&random), __ATOMIC_ACQ_REL));
}

static void work_in_child(void) {
    model_work(&(ModelWork){.seed = (uint64_t)getpid(), .steps = scaled(2000), .blocks = 200, .size_bits = 20});
    for (size_t i = 0; i < SHARED; i++)
        free_shared(shared[i]);
    vesta_host_trim(0);
    model_work(&(ModelWork){.seed = (uint64_t)getpid() + 1, .steps = scaled(2000), .blocks = 200, .size_bits = 20});
}

static void fork_beside(unsigned index) {
    if (index < THREADS) {
        exchange(index);
        return;
    }
    for (unsigned i = 0; i < scaled(60); i++)
        fork_and_expect(work_in_child);
    give_turn(&stop, 1);
}

static void expect_parent_is_well(void) {
    for (size_t i = 0; i < SHARED; i++)
        free_shared(shared[i]);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

ISOLATED(children_of_busy_threads_work) {
    run_threads(THREADS + 1, fork_beside);
    expect_parent_is_well();
}

static unsigned forks_done;

static void fork_together(unsigned index) {
    if (index < 2) {
        exchange(index);
        return;
    }
    for (unsigned i = 0; i < scaled(20); i++)
        fork_and_expect(work_in_child);
    if (__atomic_add_fetch(&forks_done, 1, __ATOMIC_ACQ_REL) == 3)
        give_turn(&stop, 1);
}

ISOLATED(several_threads_may_fork_at_once) {
    run_threads(5, fork_together);
    expect_parent_is_well();
}

/* Threads that begin and end all the time: their heaps are abandoned and adopted while the process forks. */
static void *exchange_shortly(void *argument) {
    Random random = {(uint64_t)(uintptr_t)argument};
    for (int i = 0; i < 60; i++)
        free_shared(
            __atomic_exchange_n(&shared[random_below(&random, SHARED)], make_shared(&random), __ATOMIC_ACQ_REL));
    return NULL;
}

static void start_and_end_threads(unsigned index) {
    if (index == 2) {
        for (unsigned i = 0; i < scaled(60); i++)
            fork_and_expect(work_in_child);
        give_turn(&stop, 1);
        return;
    }
    for (uintptr_t seed = index + 1; __atomic_load_n(&stop, __ATOMIC_ACQUIRE) == 0; seed += 2) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, exchange_shortly, (void *)seed), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

ISOLATED(children_work_whatever_threads_ended_meanwhile) {
    run_threads(3, start_and_end_threads);
    expect_parent_is_well();
}

static void fork_again(void) {
    work_in_child();
    memset(shared, 0, sizeof shared);
    fork_and_expect(work_in_child);
}

ISOLATED(children_may_fork) {
    Random random = {1};
    for (size_t i = 0; i < SHARED; i++)
        shared[i] = make_shared(&random);
    fork_and_expect(fork_again);
    expect_parent_is_well();
}

/* ---- What idle threads of the parent own ---- */

enum { IDLE = 8, OWNED = 500 };

static void *owned[IDLE][OWNED];
static unsigned ready, may_end;

static void free_all_owned(void) {
    for (unsigned i = 0; i < IDLE; i++)
        for (unsigned j = 0; j < OWNED; j++)
            vesta_host_free(owned[i][j]);
}

static VestaHeap *heaps[IDLE];

static void expect_a_heap_of_before(unsigned index) {
    (void)index;
    VestaHeap *heap = heap_of(vesta_host_alloc(1));
    bool found = false;
    for (unsigned i = 0; i < IDLE; i++)
        found = found || heap == heaps[i];
    assert_true(found);
}

static void take_over(void) {
    uint64_t thread_heaps = host_stats().thread_heaps, committed = host_stats().committed_bytes;
    free_all_owned();
    for (int i = 0; i < 20 && !UNDER_TSAN; i++) /* which takes the lost threads for living ones */
        run_thread(expect_a_heap_of_before);
    assert_int_equal(host_stats().thread_heaps, thread_heaps);
    /* What was freed is used again, and can be given back. */
    for (unsigned i = 0; i < IDLE; i++)
        for (unsigned j = 0; j < OWNED; j++)
            owned[i][j] = vesta_host_alloc(j * 10);
    assert_true(host_stats().committed_bytes <= committed + MIB);
    free_all_owned();
    vesta_host_trim(0);
    assert_true(host_stats().slabs <= 1); /* the one in which each of the threads left a block */
}

static void own_and_idle(unsigned index) {
    if (index == IDLE) {
        wait_for_turn(&ready, IDLE);
        fork_and_expect(take_over);
        give_turn(&may_end, 1);
        return;
    }
    for (unsigned j = 0; j < OWNED; j++)
        owned[index][j] = vesta_host_alloc(j * 10);
    heaps[index] = heap_of(owned[index][0]);
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELEASE);
    wait_for_turn(&may_end, 1);
}

ISOLATED(a_child_takes_over_what_lost_threads_owned) {
    run_threads(IDLE + 1, own_and_idle);
    free_all_owned();
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

static VestaHeap *own_heap;

static void expect_another_heap(unsigned index) {
    (void)index;
    assert_ptr_not_equal(heap_of(vesta_host_alloc(1)), own_heap);
}

static void start_a_thread(void) {
    assert_ptr_equal(heap_of(vesta_host_alloc(1)), own_heap);
    run_thread(expect_another_heap);
    assert_ptr_equal(heap_of(vesta_host_alloc(1)), own_heap);
}

ISOLATED(the_thread_that_forks_keeps_its_heap) {
    own_heap = heap_of(vesta_host_alloc(1));
    fork_and_expect(start_a_thread);
}

/* ---- A thread in the middle of it ---- */

static VestaHeap *heap_in_the_middle;

static void expect_it_is_left_alone(void) {
    assert_int_equal(heap_in_the_middle->state, VESTA_HEAP_LOST);
    work_in_child();
    assert_int_equal(heap_in_the_middle->state, VESTA_HEAP_LOST);
}

static void hold_in_slow_path(unsigned index) {
    if (index == 1) {
        wait_for_turn(&held, 1);
        fork_and_expect(expect_it_is_left_alone);
        give_turn(&hold, 2);
        return;
    }
    heap_in_the_middle = heap_of(vesta_host_alloc(1));
    void *block = vesta_host_alloc(GIB);
    may_be_held = true;
    give_turn(&hold, 1);
    vesta_host_free(block); /* gives it back to the system, outside all locks */
    assert_int_equal(held, 1);
}

ISOLATED(a_heap_in_the_middle_of_a_slow_path_is_lost) {
    run_threads(2, hold_in_slow_path);
}

static unsigned turn;

static void end_with_a_cached_span(unsigned index) {
    (void)index;
    void *block = vesta_host_alloc(500000);
    vesta_host_free(block);
    heap_in_the_middle = heap_of(vesta_host_alloc(1));
    give_turn(&turn, 1);
    wait_for_turn(&turn, 2);
}

static void watch_the_end(unsigned index) {
    if (index == 0) {
        end_with_a_cached_span(0);
        return;
    }
    /* The thread that ends cannot hand its span over, and waits in the middle of it. */
    wait_for_turn(&turn, 1);
    vesta_span_lock();
    give_turn(&turn, 2);
    while (__atomic_load_n(&heap_in_the_middle->cache.bytes, __ATOMIC_RELAXED) != 0)
        sched_yield();
    assert_int_equal(heap_in_the_middle->state, VESTA_HEAP_OWNED);
    assert_int_equal(heap_in_the_middle->busy, 1);
    vesta_span_unlock();
}

ISOLATED(a_heap_is_busy_until_it_is_abandoned) {
    if (UNDER_TSAN)
        return; /* looks at what is the other thread's alone */
    run_threads(2, watch_the_end);
    assert_int_equal(heap_in_the_middle->state, VESTA_HEAP_ABANDONED);
    assert_int_equal(heap_in_the_middle->busy, 0);
}

TESTS(cmocka_unit_test(children_of_busy_threads_work), cmocka_unit_test(several_threads_may_fork_at_once),
      cmocka_unit_test(children_work_whatever_threads_ended_meanwhile), cmocka_unit_test(children_may_fork),
      cmocka_unit_test(a_child_takes_over_what_lost_threads_owned),
      cmocka_unit_test(the_thread_that_forks_keeps_its_heap),
      cmocka_unit_test(a_heap_in_the_middle_of_a_slow_path_is_lost),
      cmocka_unit_test(a_heap_is_busy_until_it_is_abandoned))
